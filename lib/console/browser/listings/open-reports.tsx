import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { Section } from '../parts/text.tsx'
import { ReportsOf } from '../reports/reports-of.tsx'
import { words } from '../words/words.ts'

type Props = { listingId: string; agentId: string }

/** The open reports of a listing. They are not loaded where its `reportCount` is 0: most listings were never reported. */
export function OpenReports({ listingId, agentId }: Props) {
  // `GET /listings/{id}` answers without `reportCount`. The agent's newest listings have it; of an older one it is not known.
  const reportCount = useLoad(`report count ${listingId}`, async () => {
    const query = { agent: agentId, limit: 100 }
    const { items } = await read(api.GET('/admin/listings', { params: { query } }))
    return items.find(({ id }) => id === listingId)?.reportCount ?? null
  })
  return (
    <Section title={words.listings.reports} of={reportCount.value ?? undefined}>
      <Loaded of={reportCount}>
        {(count) =>
          count === 0 ? (
            <Empty>{words.listings.noReports}</Empty>
          ) : (
            <ReportsOf listingId={listingId} isBrief />
          )
        }
      </Loaded>
    </Section>
  )
}
