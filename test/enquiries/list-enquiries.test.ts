import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listEnquiries } from '#functions/enquiries/list-enquiries'
import { spec as updateEnquiry } from '#functions/enquiries/update-enquiry'
import type { Table } from '#lib/dynamo/table'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import type { EnquiryView } from '#lib/enquiries/enquiry-view'
import { call } from '#test/support/call'
import { aCustomer, aListedHouse, anEnquiry, sent, withAccount } from '#test/support/enquiries'
import type { GivenUser } from '#test/support/given'
import { aListing, COMPLETE } from '#test/support/listings'
import { pagesOf } from '#test/support/pages'
import { testTable } from '#test/support/test-table'

let agent: GivenUser
let customers: GivenUser[]
let listings: string[]
/** In the order in which they were asked. */
let enquiries: EnquiryView[]

beforeAll(async () => {
  const house = await aListedHouse()
  agent = house.agent
  listings = [house.listing, await aListing(agent.id, { ...COMPLETE, title: 'Another house' })]
  customers = await Promise.all([aCustomer(), aCustomer({ name: 'Chidi Okafor' })])
  enquiries = []
  for (const customer of customers) {
    for (const listing of listings) enquiries.push(await anEnquiry(customer, listing))
  }
})

const listed = async (by: GivenUser, query: Record<string, string> = {}): Promise<string[]> =>
  (await pagesOf<EnquiryView>(listEnquiries, by.token, query)).flat().map(({ id }) => id)

const ids = (...places: number[]): (string | undefined)[] => places.map((place) => enquiries[place]?.id)

describe('a list of enquiries', () => {
  it('holds what the caller sent, or received, newest message first', async () => {
    for (const limit of ['1', '3', '100']) {
      expect(await listed(customers[0] as GivenUser, { limit })).toEqual(ids(1, 0))
      expect(await listed(agent, { limit })).toEqual([])
      expect(await listed(agent, { limit, role: 'received' })).toEqual(ids(3, 2, 1, 0))
      expect(await listed(customers[1] as GivenUser, { limit, role: 'received' })).toEqual([])
    }
    await sent(agent, enquiries[0]?.id ?? '', 'First come, first served')
    expect(await listed(agent, { role: 'received' })).toEqual(ids(0, 3, 2, 1))
    expect(await listed(customers[0] as GivenUser)).toEqual(ids(0, 1))
  })

  it('shows each with its listing, its people and what the caller has not read', async () => {
    const [page] = await pagesOf<EnquiryView>(listEnquiries, agent.token, { role: 'received' })
    const shown = page?.find(({ id }) => id === enquiries[3]?.id)
    expect(shown).toMatchObject({
      listing: { id: listings[1], title: 'Another house' },
      customer: { userId: customers[1]?.id, name: 'Chidi Okafor' },
      agent: { userId: agent.id },
      unreadCount: 1,
    })
  })

  it('is filtered by status and listing, however small its pages', async () => {
    await call(updateEnquiry, {
      params: { id: enquiries[3]?.id ?? '' },
      token: agent.token,
      body: { status: 'CLOSED' },
    })
    for (const limit of ['1', '100']) {
      const received = { role: 'received', limit }
      expect(await listed(agent, { ...received, status: 'NEW' })).toEqual(ids(2, 1))
      expect(await listed(agent, { ...received, listingId: listings[1] ?? '' })).toEqual(ids(3, 1))
      expect(await listed(agent, { ...received, listingId: listings[1] ?? '', status: 'CLOSED' })).toEqual(
        ids(3),
      )
      expect(await listed(agent, { ...received, listingId: 'lst_unknown' })).toEqual([])
    }
  })

  it('takes one query and one read of its enquiries a page', async () => {
    const asked: string[] = []
    const table = testTable()
    const counted: Table = {
      ...table,
      query: (options) => {
        asked.push('query')
        return table.query(options)
      },
      getMany: (keys) => {
        asked.push('read')
        return table.getMany(keys)
      },
    }
    const deps = { enquiries: openEnquiries(counted) }
    await call(listEnquiries, { token: agent.token, query: { role: 'received', status: 'NEW' }, deps })
    expect(asked).toEqual(['query', 'read'])
  })

  it('shows null for a side that is banned', async () => {
    await withAccount(customers[1]?.id ?? '', { status: 'BANNED' })
    const [page] = await pagesOf<EnquiryView>(listEnquiries, agent.token, { role: 'received' })
    expect(page?.find(({ id }) => id === enquiries[3]?.id)?.customer).toBeNull()
    await withAccount(customers[1]?.id ?? '', { status: 'ACTIVE' })
  })

  it('keeps its cursors to the caller, the role and the filters', async () => {
    const { body } = await call(listEnquiries, {
      token: agent.token,
      query: { role: 'received', limit: '1' },
    })
    const cursor = body.nextCursor ?? ''
    const refused = { status: 400, body: { code: 'invalid_cursor' } }
    expect(await call(listEnquiries, { token: agent.token, query: { cursor } })).toMatchObject(refused)
    expect(
      await call(listEnquiries, { token: customers[0]?.token, query: { role: 'received', cursor } }),
    ).toMatchObject(refused)
    expect(
      await call(listEnquiries, { token: agent.token, query: { role: 'received', cursor, status: 'NEW' } }),
    ).toMatchObject(refused)
  })

  it('goes on in whichever order a client names the statuses', async () => {
    const query = { role: 'received', limit: '1' }
    const first = await call(listEnquiries, {
      token: agent.token,
      query: { ...query, status: ['NEW', 'OPEN'] },
    })
    const cursor = first.body.nextCursor ?? ''
    const next = { ...query, status: ['OPEN', 'NEW'], cursor }
    expect(await call(listEnquiries, { token: agent.token, query: next })).toMatchObject({ status: 200 })
  })

  it('takes no other role and no other status', async () => {
    for (const query of [{ role: 'agent' }, { status: 'LOST' }]) {
      expect((await call(listEnquiries, { token: agent.token, query })).status).toBe(400)
    }
  })
})
