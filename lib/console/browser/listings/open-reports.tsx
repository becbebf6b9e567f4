import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { Loaded } from '../parts/states.tsx'
import { Section } from '../parts/text.tsx'
import { ReportsOf } from '../reports/reports-of.tsx'
import { words } from '../words/words.ts'

type Props = { listingId: string; agentId: string }

/** The open reports of a listing. They are loaded only where the listing's `reportCount` says that there are any. */
export function OpenReports({ listingId, agentId }: Props) {
  // `GET /listings/{id}` answers without `reportCount`; the first page of the agent's listings has it.
  const reportCount = useLoad(`report count ${listingId}`, async () => {
    const query = { agent: agentId, limit: 100 }
    const { items } = await read(api.GET('/admin/listings', { params: { query } }))
    return items.find(({ id }) => id === listingId)?.reportCount ?? 0
  })
  return (
    <Section title={words.listings.reports} of={reportCount.value}>
      <Loaded of={reportCount}>
        {(count) =>
          count > 0 ? (
            <ReportsOf listingId={listingId} isBrief />
          ) : (
            <p class="empty">{words.listings.noReports}</p>
          )
        }
      </Loaded>
    </Section>
  )
}
