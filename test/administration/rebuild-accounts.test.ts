import { describe, expect, it } from 'vitest'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as rebuildAccounts } from '#functions/jobs/rebuild-accounts'
import { spec as countOwnListings } from '#functions/listings/count-own-listings'
import { spec as createListing } from '#functions/listings/create-listing'
import { userListKey } from '#lib/accounts/account.keys'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { userListEntries } from '#lib/accounts/user-lists'
import type { Walked } from '#lib/administration/walk-lists'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { listingCountsKey } from '#lib/listings/listing.keys'
import { call } from '#test/support/call'
import { anAgent, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing } from '#test/support/listings'
import { testTable } from '#test/support/test-table'

const rebuilt = () => runJob<Walked>(rebuildAccounts)

const countsOf = async ({ token }: GivenUser) => (await call(countOwnListings, { token })).body.counts

const foundBy = async (query: Record<string, string>) => {
  const { body } = await call(listUsers, { token: await consoleToken(), query })
  return body.items.map(({ id }) => id)
}

/** Takes an account out of the lists of names and numbers, as the first edition left it. */
async function unlisted({ id }: GivenUser): Promise<void> {
  const account = await accounts.make().get(UserId.parse(id))
  if (!account) throw new Error('gone')
  const places = userListEntries(account).filter(({ list }) => list === 'NAME' || list === 'PHONE')
  await testTable().writeEach(places.map(({ list, order }) => ({ remove: userListKey(list, order) })))
}

describe('rebuilding accounts', () => {
  it('counts listings that were never counted, and lists people by name and number', async () => {
    const agent = await anAgent({ displayName: 'Ndeye Immobilier', phone: '+221700000042' })
    const idle = await anAgent({ displayName: 'Fatou Immobilier' })
    await unlisted(agent)
    for (const status of ['DRAFT', 'PUBLISHED', 'PUBLISHED'] as const) await aListing(agent.id, { status })
    await testTable().commit([TABLE_WRITES.remove(listingCountsKey(UserId.parse(agent.id)))])
    expect(await foundBy({ name: 'ndeye' })).toEqual([])
    expect(await countsOf(agent)).toMatchObject({ DRAFT: 0, PUBLISHED: 0 })

    expect(await rebuilt()).toMatchObject({ isDone: true, changed: 1 })
    expect(await foundBy({ name: 'ndeye' })).toEqual([agent.id])
    expect(await foundBy({ phone: '+221700000042' })).toEqual([agent.id])
    expect(await countsOf(agent)).toMatchObject({ DRAFT: 1, PUBLISHED: 2, ARCHIVED: 0 })
    expect(await countsOf(idle)).toMatchObject({ DRAFT: 0, PUBLISHED: 0 })
    expect(await rebuilt()).toMatchObject({ isDone: true, changed: 0 })

    const body = { offer: 'sale', category: 'house' }
    expect((await call(createListing, { token: agent.token, body })).status).toBe(201)
    expect(await countsOf(agent)).toMatchObject({ DRAFT: 2, PUBLISHED: 2 })
    expect((await testTable().get(listingCountsKey(UserId.parse(agent.id))))?.['total']).toBe(4)
  })
})
