import { api, read } from '../api/client.ts'
import { useList } from '../api/use-list.ts'
import { linkTo } from '../app/router.ts'
import { MarkedContacts } from '../parts/marked-contacts.tsx'
import { Empty, Failed, Skeleton } from '../parts/states.tsx'
import { Time } from '../parts/text.tsx'
import { reasonLabel, words } from '../words/words.ts'

type Props = { listingId: string; isBrief?: boolean }

/** The reports of a listing; with `isBrief` the newest five and a link to all. */
export function ReportsOf({ listingId, isBrief = false }: Props) {
  const reports = useList(`reports of ${listingId}`, (cursor) =>
    read(
      api.GET('/admin/reports/{listingId}', {
        params: { path: { listingId }, query: { limit: isBrief ? 5 : 100, cursor } },
      }),
    ),
  )
  const { items, failure, hasMore, more, reload } = reports
  const wasNeverReported = failure?.problem.code === 'not_found'
  if (items?.length === 0 || wasNeverReported) return <Empty>{words.listings.noReports}</Empty>
  if (items === undefined)
    return failure ? <Failed failure={failure} retry={reload} /> : <Skeleton rows={2} />
  return (
    <>
      <ol class="history">
        {items.map(({ reason, text, at }) => (
          <li key={`${at} ${reason} ${text}`}>
            <b>{reasonLabel('report', reason)}</b> <Time at={at} />
            <p dir="auto" class={text === null ? 'quiet' : ''}>
              <MarkedContacts>{text ?? words.reports.noText}</MarkedContacts>
            </p>
          </li>
        ))}
      </ol>
      {isBrief ? (
        <a href={linkTo('reports', listingId)}>{words.nav.reports}</a>
      ) : (
        hasMore && (
          <button type="button" onClick={more}>
            {words.common.more}
          </button>
        )
      )}
    </>
  )
}
