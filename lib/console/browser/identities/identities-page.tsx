import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Select } from '../parts/form.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

type Item = Schema<'KycReviewItem'>
type Chosen = Schema<'KycStatus'> | ''

const STATUSES = Object.entries(codes.kycStatus) as [Schema<'KycStatus'>, string][]

/** The people who wait for a decision on their identity, longest first, or all people in one status. */
export function IdentitiesPage() {
  const status = (route.value.query.get('status') ?? '') as Chosen
  const list = useList(`identities ${status}`, (cursor) => {
    const query = { limit: 50, cursor, ...(status ? { status } : { awaitingReview: 'true' as const }) }
    return read(api.GET('/admin/kyc', { params: { query } }))
  })
  // A decision removes its person at once from the list of those who wait. A list of one status stays as it is.
  const items = status === '' ? withoutDecided(list.items, ({ userId }) => [userId]) : list.items
  rememberOrder('identities', items?.map(({ userId }) => userId) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.identities}</h1>
        <div class="filters">
          <Select<Chosen>
            label={words.common.status}
            value={status}
            options={[['', words.identities.awaiting], ...STATUSES]}
            set={(chosen) => refine({ status: chosen })}
          />
        </div>
      </header>
      <Table
        label={words.nav.identities}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ userId }) => userId}
        linkOf={({ userId }) => linkTo('identities', userId)}
        empty={words.identities.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Item>[] = [
  {
    title: words.identities.person,
    isWide: true,
    cell: ({ name, email, isAgent }) => (
      <>
        <b>
          <bdi>{name ?? email}</bdi>
        </b>{' '}
        <span class="quiet">{name === null ? null : email}</span>
        {isAgent && <span class="tag">{words.identities.isAgent}</span>}
      </>
    ),
  },
  {
    title: words.common.status,
    cell: ({ kycStatus }) => <Status tone={toneOf(kycStatus)}>{codes.kycStatus[kycStatus]}</Status>,
  },
  {
    title: words.identities.documents,
    isNumber: true,
    cell: ({ documentCount }) => documentCount,
  },
  { title: words.identities.waiting, cell: ({ waitingSince }) => <Ago at={waitingSince} /> },
  { title: words.claim.by, cell: ({ claimedBy }) => claimedBy },
]
