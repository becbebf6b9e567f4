import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as login } from '#functions/accounts/login'
import { spec as refresh } from '#functions/accounts/refresh'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as searchListings } from '#functions/listings/search-listings'
import { spec as listNotices } from '#functions/notifications/list-notices'
import { MIX, monthAt } from '#lib/docs/costs'
import { readGuides } from '#lib/docs/guide-list'
import { dynamo } from '#lib/dynamo/client'
import { call } from '#test/support/call'
import { aCustomer, aListedHouse, ask } from '#test/support/enquiries'
import { PASSWORD } from '#test/support/given'
import { aPayment, paid } from '#test/support/payments'
import { aPublishedListing } from '#test/support/published'

const spent = { reads: 0, writes: 0 }

type Units = { CapacityUnits?: number }

dynamo().middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Units | Units[] }
      for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat())
        spent[/Get|Query/.test(commandName) ? 'reads' : 'writes'] += CapacityUnits
      return result
    },
  { step: 'initialize', name: 'counted' },
)

async function counted(act: () => Promise<{ status: number }>) {
  const before = { ...spent }
  expect((await act()).status).toBeLessThan(300)
  return { reads: spent.reads - before.reads, writes: spent.writes - before.writes }
}

it('reads and writes no more for a request than the operator’s book reckons with, and not much less', async () => {
  const { listing, agent } = await aListedHouse()
  const city = `Cost ${randomUUID()}`
  const place = { country: 'CI', city, district: null, address: null, lat: null, lng: null }
  for (let part = 0; part < 4; part += 1)
    await Promise.all(Array.from({ length: 5 }, () => aPublishedListing(agent.id, { location: place })))
  const customer = await aCustomer()
  const { token, email, refreshToken } = customer
  const measured = {
    search: await counted(() => call(searchListings, { query: { city } })),
    listing: await counted(() => call(getListing, { params: { id: listing } })),
    notices: await counted(() => call(listNotices, { token })),
    profile: await counted(() => call(getProfile, { token })),
    refresh: await counted(() => call(refresh, { body: { refreshToken } })),
    login: await counted(() => call(login, { body: { email, password: PASSWORD } })),
    enquiry: await counted(() => ask(customer, listing)),
    payment: await counted(async () => {
      await paid(await aPayment(customer))
      return { status: 200 }
    }),
  } satisfies Record<keyof typeof MIX, unknown>
  for (const [kind, { reads, writes }] of Object.entries(measured)) {
    const reckoned = MIX[kind as keyof typeof MIX]
    expect(reads, `${kind} reads`).toBeLessThanOrEqual(reckoned.reads)
    expect(writes, `${kind} writes`).toBeLessThanOrEqual(reckoned.writes)
    expect(reads, `${kind} reads`).toBeGreaterThanOrEqual(reckoned.reads * 0.6)
    expect(writes, `${kind} writes`).toBeGreaterThanOrEqual(reckoned.writes * 0.6)
  }
}, 60_000)

it('shares a day out among all kinds of requests, and shows the sums in the book', () => {
  const shares = Object.values(MIX).reduce((sum, { share }) => sum + share, 0)
  expect(shares).toBeCloseTo(1)
  const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
  for (const requests of [1_000, 100_000, 10_000_000])
    expect(book).toContain(`| ${requests.toLocaleString('en')} | ${monthAt(requests).toLocaleString('en')} |`)
})
