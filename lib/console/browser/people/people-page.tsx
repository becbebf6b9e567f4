import { useEffect, useRef, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Input, Select } from '../parts/form.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

type Item = Schema<'AdministeredUser'>
type KycStatus = Schema<'KycStatus'>
type AccountStatus = Schema<'AccountStatus'>

const IDENTITIES = Object.entries(codes.kycStatus) as [KycStatus, string][]
const ACCOUNTS = Object.entries(codes.accountStatus) as [AccountStatus, string][]

/** The time without typing after which the typed text is searched. */
const PAUSE_MILLISECONDS = 300

/** People, by address, telephone or words of a name, and by the state of their identity and account. */
export function PeoplePage() {
  const { query } = route.value
  const q = query.get('q') ?? ''
  const kycStatus = (query.get('kycStatus') ?? '') as KycStatus | ''
  const status = (query.get('status') ?? '') as AccountStatus | ''
  const [typed, setTyped] = useState(q)
  const searched = useRef(q)
  useEffect(() => {
    // The menu or the back button has changed the address: what was typed before is searched no more.
    if (q !== searched.current) setTyped(q)
    searched.current = q
  }, [q])
  useEffect(() => {
    const search = () => {
      if (typed === q) return
      searched.current = typed
      refine({ q: typed })
    }
    const timer = setTimeout(search, PAUSE_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [typed, q])
  const list = useList(`people ${query}`, (cursor) =>
    read(
      api.GET('/admin/users', {
        params: {
          query: {
            limit: 100,
            cursor,
            ...findBy(q.trim()),
            ...(kycStatus && { kycStatus }),
            ...(status && { status }),
          },
        },
      }),
    ),
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.people}</h1>
        <div class="filters">
          <Input label={words.people.find} type="search" value={typed} set={setTyped} />
          <Select<KycStatus | ''>
            label={words.people.identity}
            value={kycStatus}
            options={[['', words.common.all], ...IDENTITIES]}
            set={(chosen) => refine({ kycStatus: chosen })}
          />
          <Select<AccountStatus | ''>
            label={words.people.account}
            value={status}
            options={[['', words.common.all], ...ACCOUNTS]}
            set={(chosen) => refine({ status: chosen })}
          />
        </div>
      </header>
      <Table
        label={words.nav.people}
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('people', id)}
        empty={words.people.empty}
      />
    </>
  )
}

/** Takes a text with an at sign for an address, a text of digits for a telephone number, and any other for a name. */
function findBy(q: string): { email?: string; phone?: string; name?: string } {
  if (q === '') return {}
  if (q.includes('@')) return { email: q }
  return /^\+?[\d\s().-]{5,}$/.test(q) ? { phone: q } : { name: q }
}

const COLUMNS: readonly Column<Item>[] = [
  {
    title: words.people.name,
    cell: ({ name, email }) => (
      <b>
        <bdi>{name ?? email}</bdi>
      </b>
    ),
  },
  { title: words.people.email, isWide: true, cell: ({ email }) => email },
  { title: words.people.phone, cell: ({ phone }) => phone },
  {
    title: words.people.identity,
    cell: ({ kycStatus }) => <Status tone={toneOf(kycStatus)}>{codes.kycStatus[kycStatus]}</Status>,
  },
  {
    title: words.people.account,
    cell: ({ status }) => <Status tone={toneOf(status)}>{codes.accountStatus[status]}</Status>,
  },
  { title: words.people.joined, cell: ({ createdAt }) => <Ago at={createdAt} /> },
]
