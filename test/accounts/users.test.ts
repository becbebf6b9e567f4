import { beforeAll, describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import {
  anAgent,
  aProvenUser,
  aUser,
  consoleToken,
  type GivenUser,
  PASSWORD,
  proveEmail,
} from '#test/support/given'
import { pagesOf } from '#test/support/pages'
import { testTable } from '#test/support/test-table'

type User = { id: string; email: string; kycStatus: string; status: string; banReason: string | null }

let admin: string
beforeAll(async () => {
  admin = await consoleToken({ sub: 'ama' })
})

const find = async (query: Record<string, string> = {}) =>
  (await pagesOf<User>(listUsers, admin, { limit: '100', ...query })).flat()
const change = ({ id }: Pick<GivenUser, 'id'>, body: object) =>
  call(updateUser, { token: admin, params: { id }, body })
const signIn = ({ email }: GivenUser, password = PASSWORD) => call(login, { body: { email, password } })
const bansOf = async ({ id }: GivenUser) =>
  (await testTable().query({ partition: `USER#${id}`, beginsWith: 'STATUS#' })).items

describe('GET /admin/users', () => {
  it('lists everyone, the newest first, each once', async () => {
    const people = [await aUser(), await aUser(), await aUser()]
    const everyone = await find()
    expect(everyone.slice(0, 3).map(({ id }) => id)).toEqual(people.map(({ id }) => id).reverse())
    expect(await find({ limit: '2' })).toEqual(everyone)
    expect(everyone[0]).toEqual({
      id: people[2]?.id,
      email: people[2]?.email,
      emailVerified: false,
      name: 'Awa Koné',
      phone: null,
      locale: 'en',
      roles: ['user'],
      kycStatus: 'UNVERIFIED',
      status: 'ACTIVE',
      banReason: null,
      bannedAt: null,
      provenAt: null,
      listingLimits: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  it('finds one by their e-mail, whatever its letter case, or nobody', async () => {
    const person = await aUser()
    expect(await find({ email: person.email.toUpperCase() })).toMatchObject([{ id: person.id }])
    expect(await find({ email: person.email, status: 'BANNED' })).toEqual([])
    expect(await find({ email: 'nobody@example.com' })).toEqual([])
    expect(await find({ email: person.email.slice(0, 8) })).toEqual([])
  })

  it('finds nobody by a text whose compatible spelling is longer than any e-mail', async () => {
    expect(await find({ email: 'ﷺ'.repeat(254) })).toEqual([])
  })

  it('finds by telephone number, the profile’s or the agent’s, however it is typed', async () => {
    const [person, agent] = [await aUser({ phone: '+22507010203' }), await anAgent({ phone: '+22507010203' })]
    const found = [person.id, agent.id].sort()
    for (const phone of ['+22507010203', ' 225 07.01-02 03']) {
      expect((await find({ phone })).map(({ id }) => id).sort()).toEqual(found)
    }
    expect(await find({ phone: '+2250701020' })).toEqual([])
    expect(await find({ phone: '+22507010203', email: person.email })).toMatchObject([{ id: person.id }])
    expect(await call(listUsers, { token: admin, query: { phone: '0701' } })).toMatchObject({ status: 400 })
  })

  it('finds by words that each begin a word of a name or of what an agent is called, accents and case aside', async () => {
    const person = await aUser({ name: 'Éloïse N’Guessan' })
    const agent = await anAgent({ displayName: 'ELOÏSE Immobilier' })
    expect((await find({ name: 'eloi' })).map(({ id }) => id)).toEqual([person.id, agent.id])
    expect(await find({ name: 'eloi', limit: '1' })).toHaveLength(2)
    expect(await find({ name: 'Eloise N’G', status: 'ACTIVE' })).toMatchObject([{ id: person.id }])
    expect(await find({ name: 'Eloise', status: 'BANNED' })).toEqual([])
    for (const name of ['N’Guessan', 'guess', 'GUESSAN eloise', 'N']) {
      expect(await find({ name }), name).toMatchObject([{ id: person.id }])
    }
    expect(await find({ name: 'kone eloise' })).toMatchObject([{ id: agent.id }])
    for (const name of ['x'.repeat(120), 'loise', 'Eloise Bamba', 'Guessan N Immobilier']) {
      expect(await find({ name }), name).toEqual([])
    }
    for (const name of [' ', '-!']) {
      expect(await call(listUsers, { token: admin, query: { name } })).toMatchObject({ status: 400 })
    }
  })

  it('finds a person once, whose names fit several times', async () => {
    const { id, token } = await anAgent({ displayName: 'Tidiane Tidjani & Tidiani' })
    await call(changeProfile, { token, body: { name: 'Tidiane Tid' } })
    expect(await find({ name: 'tid' })).toMatchObject([{ id }])
    expect((await find({ name: 'tid', limit: '1' })).map((found) => found.id)).toEqual([id])
  })

  it('finds an agent by the last word of a name and of a `displayName` of six words each', async () => {
    const { id, token } = await anAgent({ displayName: 'Agência Imobiliária Costa Bonita de Benguela' })
    await call(changeProfile, { token, body: { name: 'Maria Fernanda dos Anjos Kiala Quipungo' } })
    for (const name of ['Benguela', 'Quipungo', 'maria benguela']) {
      expect(await find({ name }), name).toMatchObject([{ id }])
    }
  })

  it('finds a person by a name of more words than are listed, and lets the account end', async () => {
    const words = Array.from({ length: 26 }, (_, index) => `q${String.fromCodePoint(97 + index)}`)
    const person = await aUser({ name: words.join(' ') })
    expect(await find({ name: 'qa qb' })).toMatchObject([{ id: person.id }])
    const { status } = await call(deleteAccount, { token: person.token, body: { password: PASSWORD } })
    expect([status, await find({ name: 'qa' })]).toEqual([204, []])
  })

  it('forgets a name that was changed, and everything of a person who has gone', async () => {
    const person = await aUser({ name: 'Zacharie Bamba', phone: '+22507990000' })
    await call(changeProfile, { token: person.token, body: { name: 'Yacouba Bamba' } })
    expect(await find({ name: 'Zacharie' })).toEqual([])
    expect(await find({ name: 'Yacouba' })).toMatchObject([{ id: person.id }])
    await call(deleteAccount, { token: person.token, body: { password: PASSWORD } })
    expect([...(await find({ name: 'Yacouba' })), ...(await find({ phone: '+22507990000' }))]).toEqual([])
  })

  it('finds by KYC status and by account status, and by both', async () => {
    const [verified, banned, both] = [await aUser(), await aUser(), await aUser()]
    for (const { id } of [verified, both]) {
      await call(setKycStatus, { token: admin, body: { userId: id, kycStatus: 'VERIFIED' } })
    }
    for (const person of [banned, both]) await change(person, { status: 'BANNED', reason: 'Sold a bridge' })
    const ids = async (query: Record<string, string>) => (await find(query)).map(({ id }) => id)
    expect(await ids({ kycStatus: 'VERIFIED' })).toEqual([both.id, verified.id])
    expect(await ids({ status: 'BANNED' })).toEqual([both.id, banned.id])
    expect(await ids({ kycStatus: 'VERIFIED', status: 'BANNED' })).toEqual([both.id])
    expect(await ids({ kycStatus: 'VERIFIED', status: 'ACTIVE' })).toEqual([verified.id])
    expect(await ids({ status: 'ACTIVE' })).not.toContain(banned.id)
    await change(both, { status: 'ACTIVE' })
    expect(await ids({ status: 'BANNED' })).toEqual([banned.id])
  })

  it('lists who verified their e-mail after their ban, and the others apart', async () => {
    const [before, after, never, free] = [
      await aProvenUser(),
      await aUser(),
      await aUser(),
      await aProvenUser(),
    ]
    for (const person of [before, after, never]) await change(person, { status: 'BANNED' })
    await proveEmail(after.id)
    const ids = async (query: Record<string, string>) => (await find(query)).map(({ id }) => id)
    for (const query of [{}, { status: 'BANNED' }]) {
      const found = await ids({ ...query, provenSince: 'true' })
      expect(found).toContain(after.id)
      for (const { id } of [before, never, free]) expect(found).not.toContain(id)
    }
    const others = await ids({ status: 'BANNED', provenSince: 'false' })
    expect(others).toEqual(expect.arrayContaining([before.id, never.id]))
    expect(others).not.toContain(after.id)
    expect(await ids({ status: 'ACTIVE', provenSince: 'true' })).toEqual([])
  })

  it('takes a cursor only as it was given, for the list and the filters it was given with', async () => {
    await aUser()
    await aUser()
    const { body } = await call(listUsers, { token: admin, query: { limit: '1' } })
    const nextCursor = body.nextCursor ?? ''
    for (const query of [
      { cursor: nextCursor, status: 'ACTIVE' },
      { cursor: nextCursor, kycStatus: 'UNVERIFIED' },
      { cursor: nextCursor, email: 'a@example.com' },
      { cursor: nextCursor.slice(1) },
    ]) {
      expect(await call(listUsers, { token: admin, query })).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      })
    }
  })
})

describe('PATCH /admin/users/{id}', () => {
  it('bans: every token is refused at once, and only the right password learns of it', async () => {
    const person = await aUser()
    const second = (await signIn(person)).body
    expect(await change(person, { status: 'BANNED', reason: 'Sold a bridge' })).toMatchObject({
      status: 200,
      body: { id: person.id, status: 'BANNED', banReason: 'Sold a bridge' },
    })
    for (const token of [person.token, second.accessToken]) {
      expect(await call(getProfile, { token })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      })
    }
    expect(await signIn(person)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
    expect(await signIn(person, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
  })

  it('lets them in again, with a new sign-in', async () => {
    const person = await aUser()
    await change(person, { status: 'BANNED' })
    expect(await change(person, { status: 'ACTIVE', reason: 'It was his brother' })).toMatchObject({
      status: 200,
      body: { status: 'ACTIVE', banReason: null },
    })
    expect((await call(getProfile, { token: person.token })).status).toBe(401)
    expect((await signIn(person)).status).toBe(200)
  })

  it('shows since when a ban lasts, whatever its reason becomes, until it is lifted', async () => {
    const person = await aUser()
    const { bannedAt } = (await change(person, { status: 'BANNED' })).body
    expect(bannedAt).toMatch(/Z$/)
    expect(await change(person, { status: 'BANNED', reason: 'Sold a bridge' })).toMatchObject({
      body: { bannedAt },
    })
    expect(await change(person, { status: 'ACTIVE' })).toMatchObject({ body: { bannedAt: null } })
  })

  it('records each ban with who, when and why, and announces a new reason no second time', async () => {
    const person = await aUser()
    const ban = { status: 'BANNED', reason: 'Sold a bridge' }
    const answers = await Promise.all([change(person, ban), change(person, ban), change(person, ban)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await change(person, { status: 'BANNED', reason: 'Sold two' })
    await change(person, { status: 'ACTIVE', reason: 'Paid back' })
    await change(person, { status: 'ACTIVE' })
    const at = expect.stringMatching(/Z$/)
    expect(await bansOf(person)).toMatchObject([
      { kind: 'status-decision', from: 'ACTIVE', to: 'BANNED', reason: 'Sold a bridge', by: 'ama', at },
      { from: 'BANNED', to: 'BANNED', reason: 'Sold two', by: 'ama', at },
      { from: 'BANNED', to: 'ACTIVE', reason: 'Paid back', by: 'ama', at },
    ])
    expect(await eventsOf(person.id, 'user.banned')).toHaveLength(1)
  })

  it('leaves no session behind of a sign-in at the very same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await aUser()
      const [signedIn] = await Promise.all([signIn(person), change(person, { status: 'BANNED' })])
      const { accessToken } = signedIn.body
      expect((await call(getProfile, { token: accessToken ?? person.token })).status).toBe(401)
      await change(person, { status: 'ACTIVE' })
      expect((await call(getProfile, { token: accessToken ?? person.token })).status).toBe(401)
    }
  })

  it('leaves what is absent as it is', async () => {
    const person = await aUser()
    await change(person, { status: 'BANNED', reason: 'Sold a bridge', listingLimits: { drafts: 5 } })
    const stays = { status: 'BANNED', banReason: 'Sold a bridge' }
    expect(await change(person, {})).toMatchObject({ status: 200, body: stays })
    expect(await change(person, { listingLimits: null })).toMatchObject({
      body: { ...stays, listingLimits: null },
    })
    expect(await change(person, { status: 'BANNED' })).toMatchObject({ status: 200, body: stays })
    expect(await bansOf(person)).toHaveLength(1)
    const cleared = await change(person, { status: 'BANNED', reason: null })
    expect(cleared).toMatchObject({ status: 200, body: { status: 'BANNED', banReason: null } })
  })

  it('asks for a fresh sign-in where a status is given, and for limits alone does not', async () => {
    const person = await anAgent()
    const old = await consoleToken({ auth_time: Math.floor(Date.now() / 1000) - 7_200 })
    const send = (body: object) => call(updateUser, { token: old, params: { id: person.id }, body })
    expect(await send({ listingLimits: { drafts: 5 } })).toMatchObject({ status: 200 })
    for (const status of ['ACTIVE', 'BANNED']) {
      expect(await send({ status, listingLimits: { drafts: 6 } })).toMatchObject({
        status: 403,
        body: { code: 'step_up_required' },
      })
    }
    expect(await send({})).toMatchObject({ body: { listingLimits: { drafts: 5 } } })
  })

  it('replaces limits whole: one that is left out or null is the general one', async () => {
    const person = await anAgent()
    const limitsAfter = async (listingLimits: object | null) =>
      (await change(person, { listingLimits })).body.listingLimits
    const none = { drafts: null, inReview: null, listings: null, files: null }
    expect(await limitsAfter({ drafts: 0, files: 10_000 })).toEqual({ ...none, drafts: 0, files: 10_000 })
    expect(await limitsAfter({ inReview: 3, drafts: null })).toEqual({ ...none, inReview: 3 })
    expect(await limitsAfter({})).toEqual(none)
    expect(await limitsAfter(null)).toBeNull()
  })

  it.each([
    ['a limit below 0', { drafts: -1 }, 'drafts'],
    ['a limit above 10,000', { listings: 10_001 }, 'listings'],
    ['half a file', { files: 0.5 }, 'files'],
    ['a limit in words', { inReview: 'many' }, 'inReview'],
  ])('refuses %s', async (_what, listingLimits, name) => {
    expect(await change(await anAgent(), { listingLimits })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: `listingLimits.${name}` }] },
    })
  })

  it('refuses what it does not know', async () => {
    const person = await aUser()
    expect(await change(person, { status: 'DELETED' })).toMatchObject({ status: 400 })
    expect(await change(person, { status: 'BANNED', reason: 'x'.repeat(1001) })).toMatchObject({
      status: 400,
    })
    for (const id of ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'awa']) {
      expect(await change({ id }, { status: 'BANNED' })).toMatchObject({ status: 404 })
    }
    expect(
      await call(updateUser, { token: person.token, params: { id: person.id }, body: { status: 'ACTIVE' } }),
    ).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})
