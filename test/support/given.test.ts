import { beforeAll, describe, expect, it } from 'vitest'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as createListing } from '#functions/listings/create-listing'
import { ListingId } from '#lib/kernel/id'
import { completeFields } from '#lib/listings/fields'
import { call } from './call.ts'
import {
  anAgent,
  aProvenUser,
  aUser,
  aVerifiedAgent,
  consoleToken,
  type GivenUser,
  PASSWORD,
  proveEmail,
} from './given.ts'
import { aListing, listingOf } from './listings.ts'
import { snapshot } from './table-changes.ts'

/** An item without what is made anew each time: ids, moments, addresses, secrets, the shards of lists, marks of retries. */
const withoutChance = (item: object): Record<string, unknown> => {
  const text = JSON.stringify(item, (name, value) => (/^mark\d+$/.test(name) ? undefined : value))
    .replace(/\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
    .replace(/\$argon2id\$[^"]+/g, 'HASH')
    .replace(/person-[\d-]+@/g, 'person@')
    .replace(/[\w-]{22,}/g, 'SECRET')
    .replace(/"[\w-]{16}":(?=\d{10,})/g, '"NETWORK":')
    .replace(/("pk":"[^"]*#)\d+"/g, '$1SHARD"')
    .replace(/\b\d{10,}\b/g, '0')
  return JSON.parse(text)
}

const orderOf = ({ pk, sk, type }: Record<string, unknown>): string => `${pk} ${sk} ${type}`

/** What a record puts into the table. */
async function written(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = await snapshot()
  await act()
  const after = await snapshot()
  const items = [...after].flatMap(([key, item]) => (before.has(key) ? [] : [withoutChance(item)]))
  return items.sort((one, other) => orderOf(one).localeCompare(orderOf(other)))
}

let people = 0
async function registered(): Promise<GivenUser> {
  people += 1
  const email = `person-${people}@example.com`
  const { status, body } = await call(register, {
    body: { email, password: PASSWORD, name: 'Awa Koné' },
  })
  expect(status).toBe(201)
  return { id: body.user.id, email, token: body.accessToken, refreshToken: body.refreshToken }
}

async function proven(): Promise<GivenUser> {
  const user = await registered()
  await proveEmail(user.id)
  return user
}

async function withProfile(): Promise<GivenUser> {
  const user = await proven()
  const body = { displayName: 'Awa Immobilier', agency: 'Awa & Co' }
  expect(await call(putAgentProfile, { token: user.token, body })).toMatchObject({ status: 201 })
  return user
}

async function decided(): Promise<void> {
  const { id } = await withProfile()
  const body = { userId: id, kycStatus: 'VERIFIED' }
  expect(await call(setKycStatus, { token: await consoleToken(), body })).toMatchObject({ status: 200 })
}

// Then the network has its counter, which all of them share.
beforeAll(() => aUser())

describe('the records that tests are given', () => {
  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['a user', aUser, registered],
    ['a user with a verified e-mail', aProvenUser, proven],
    ['an agent', anAgent, withProfile],
    ['a verified agent', aVerifiedAgent, decided],
  ])('%s has the items that the API writes', async (_, given, byApi) => {
    const items = await written(given)
    expect(items.length).toBeGreaterThan(4)
    expect(items).toEqual(await written(byApi))
  })

  it('a listing equals the draft that the API makes', async () => {
    const agent = await aVerifiedAgent()
    const draft = { offer: 'rent', category: 'house', title: 'House by the lagoon' } as const
    const { body } = await call(createListing, { token: agent.token, body: draft })
    const made = await listingOf(ListingId.parse(body.id))
    const id = await aListing(agent.id, {
      ...completeFields(draft),
      status: 'DRAFT',
      submittedAt: null,
      publishedAt: null,
    })
    const given = await listingOf(id)
    const { createdAt, updatedAt } = given ?? {}
    expect(given).toEqual({ ...made, id, createdAt, updatedAt })
  })
})
