import { describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as undoChange } from '#functions/accounts/addresses/undo-email-change'
import { spec as deleteApiKey } from '#functions/accounts/api-keys/delete-api-key'
import { spec as listApiKeys } from '#functions/accounts/api-keys/list-api-keys'
import { spec as makeApiKey } from '#functions/accounts/api-keys/make-api-key'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as getEnquiry } from '#functions/enquiries/get-enquiry'
import { spec as listEnquiries } from '#functions/enquiries/list-enquiries'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getHistory } from '#functions/listings/get-listing-history'
import { spec as getStatistics } from '#functions/listings/get-listing-statistics'
import { spec as listPaymentRequests } from '#functions/payment-requests/list-payment-requests'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { keyHash } from '#lib/accounts/api-keys/api-key'
import { apiKeyKey } from '#lib/accounts/api-keys/api-key.keys'
import { call } from '#test/support/call'
import { aConversation, aListedHouse, anEnquiry } from '#test/support/enquiries'
import { steppedUp } from '#test/support/factors'
import { anAgent, aUser, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { mailedBy, tokenIn } from '#test/support/mail'
import { overtakenBy } from '#test/support/overtaken'
import { testTable } from '#test/support/test-table'

const NEW_PASSWORD = 'nine herons over the weir'

const make = (token: string, body: Record<string, unknown> = {}) =>
  call(makeApiKey, { token, body: { name: 'Our system', scopes: ['listings:write'], ...body } })

describe('an API key', () => {
  it('is shown once, kept as a hash, listed by its last four characters, and acts for its agent', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const { status, body } = await make(token)
    const { apiKey, key } = body
    expect({ status, key, last4: apiKey.last4 }).toEqual({
      status: 201,
      key: expect.stringMatching(/^pak_[A-Za-z0-9_-]{43}$/),
      last4: key.slice(-4),
    })
    expect(JSON.stringify(await testTable().get(apiKeyKey(keyHash(key))))).not.toContain(key)
    const listed = await call(listApiKeys, { token })
    expect(listed.body).toEqual({ items: [apiKey] })

    const draft = await call(createListing, { token: key, body: { offer: 'sale', category: 'house' } })
    expect(draft.status).toBe(201)
    const { id } = draft.body
    expect((await call(getListing, { token: key, params: { id } })).status).toBe(200)
    expect((await call(deleteApiKey, { token, params: { id: apiKey.id } })).status).toBe(204)
    expect((await call(deleteApiKey, { token, params: { id: apiKey.id } })).status).toBe(204)
    expect((await call(getListing, { token: key, params: { id } })).status).toBe(401)
  })

  it('is not made until the year 10000 in UTC, so that the keys can be listed', async () => {
    const token = await steppedUp(await anAgent())
    expect(await make(token, { expiresAt: '9999-12-31T23:59:59-01:00' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'expiresAt' }] },
    })
    expect(await call(listApiKeys, { token })).toMatchObject({ status: 200, body: { items: [] } })
  })

  it('a key without listings:read reads a draft of its agent as the public: a 404', async () => {
    const agent = await anAgent()
    const { key } = (await make(await steppedUp(agent), { scopes: ['payments:read'] })).body
    const { body } = await call(createListing, {
      token: agent.token,
      body: { offer: 'sale', category: 'house' },
    })
    const params = { id: body.id }
    expect((await call(getListing, { token: key, params })).status).toBe(404)
  })

  it('a key with listings:read reads history and statistics of its agent’s listings alone', async () => {
    const [agent, other] = [await anAgent(), await anAgent()]
    const { key } = (await make(await steppedUp(agent), { scopes: ['listings:read'] })).body
    const ids = await Promise.all([agent, other].map(({ id }) => aListing(id, { status: 'DRAFT' })))
    for (const spec of [getHistory, getStatistics]) {
      const answers = await Promise.all(ids.map((id) => call(spec, { token: key, params: { id } })))
      expect([spec.route, ...answers.map(({ status }) => status)]).toEqual([spec.route, 200, 404])
    }
  })

  it('sees the agent’s side of lists alone, also when no role is given', async () => {
    const agent = await anAgent()
    const scopes = ['enquiries:read', 'payments:read']
    const { key } = (await make(await steppedUp(agent), { scopes })).body
    for (const [spec, own, other] of [
      [listEnquiries, 'received', 'sent'],
      [listPaymentRequests, 'sent', 'received'],
    ] as const) {
      expect((await call(spec, { token: key })).status).toBe(200)
      expect((await call(spec, { token: key, query: { role: own } })).status).toBe(200)
      expect((await call(spec, { token: key, query: { role: other } })).status).toBe(403)
    }
  })

  it('keys that are deleted at the same time are all refused from then on', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const made = [(await make(token)).body, (await make(token)).body, (await make(token)).body]
    const ended = await Promise.all(
      made.map(({ apiKey: { id } }) => call(deleteApiKey, { token, params: { id } })),
    )
    expect(ended.map(({ status }) => status)).toEqual([204, 204, 204])
    expect((await call(listApiKeys, { token })).body).toEqual({ items: [] })
  })

  it('reads an enquiry that its agent received, and none that its agent sent', async () => {
    const [{ agent, enquiry }, { listing }] = [await aConversation(), await aListedHouse()]
    const { key } = (await make(await steppedUp(agent), { scopes: ['enquiries:read'] })).body
    const ids = [enquiry.id, (await anEnquiry(agent, listing)).id]
    const answers = await Promise.all(ids.map((id) => call(getEnquiry, { token: key, params: { id } })))
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })

  it('is made by agents alone, who have stepped up', async () => {
    const user = await aUser()
    expect(await make(await steppedUp(user))).toMatchObject({
      status: 403,
      body: { code: 'agent_profile_required' },
    })
    const agent = await anAgent()
    const late = { now: () => new Date(Date.now() + 9 * 60_000) }
    expect((await make(agent.token)).status).toBe(201)
    expect((await call(makeApiKey, { token: agent.token, body: {}, deps: late })).status).toBe(400)
  })

  it.each([
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['listings:admin'] }],
    ['a time that has passed', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['a time in words', { expiresAt: 'tomorrow' }],
    ['no name', { name: ' ' }],
  ])('with %s is refused', async (_what, body) => {
    expect((await make((await anAgent()).token, body)).status).toBe(400)
  })

  it.each<[string, (agent: GivenUser, token: string) => Promise<unknown>]>([
    [
      'a reset of the password, whose notification counts it',
      async ({ id, email }) => {
        const { mails } = await mailedBy(forgot, { body: { email } })
        const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
        await call(resetPassword, { body })
        const events = await testTable().query({ partition: `EVENTS-OF#${id}`, index: 'gsi1', limit: 50 })
        const reset = events.items.find(({ type }) => type === 'user.password_changed')
        expect(reset).toMatchObject({ data: { by: 'reset', apiKeysEnded: 1 } })
      },
    ],
    [
      'an undone change of address',
      async ({ email }, token) => {
        const newEmail = `other-${email}`
        const asked = await mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD } })
        const link = tokenIn(asked.mails.find(({ to }) => to === newEmail))
        const { mails } = await mailedBy(confirmChange, { body: { token: link } })
        await mailedBy(undoChange, { body: { token: tokenIn(mails[0]) } })
      },
    ],
    [
      'a ban',
      async ({ id }) => {
        const ban = { status: 'BANNED', reason: 'Fraud' }
        await call(updateUser, { token: await consoleToken(), params: { id }, body: ban })
        await call(updateUser, { token: await consoleToken(), params: { id }, body: { status: 'ACTIVE' } })
      },
    ],
    ['the end of the account', (_, token) => call(deleteAccount, { token, body: { password: PASSWORD } })],
  ])('is ended by %s', async (_what, end) => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const { key } = (await make(token, { scopes: ['enquiries:read'] })).body
    expect((await call(listEnquiries, { token: key })).status).toBe(200)
    await end(agent, token)
    expect(await call(listEnquiries, { token: key })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    expect(await testTable().get(apiKeyKey(keyHash(key)))).toBeUndefined()
  })

  it('outlives a change of the password and a sign-out everywhere', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const { key } = (await make(token, { scopes: ['enquiries:read'] })).body
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await call(changePassword, { token, body: change })).status).toBe(204)
    expect((await call(logout, { token, body: { all: true } })).status).toBe(204)
    expect((await call(listEnquiries, { token: key })).status).toBe(200)
  })

  it('works until the moment of its end, which must be later than now', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const [now, end] = [Date.now() + 60_000, Date.now() + 120_000]
    const at = (moment: number) => ({ deps: { now: () => new Date(moment) } })
    const makeAt = (moment: number, expiresAt: number) =>
      call(makeApiKey, {
        ...{ token, ...at(moment) },
        body: { name: 'A visitor', scopes: ['enquiries:read'], expiresAt: new Date(expiresAt).toISOString() },
      })
    expect(await makeAt(now, now)).toMatchObject({ status: 400, body: { errors: [{ path: 'expiresAt' }] } })
    const { key } = (await makeAt(now, end)).body
    const statusAt = async (moment: number) =>
      (await call(listEnquiries, { token: key, ...at(moment) })).status
    expect([await statusAt(end - 1), await statusAt(end)]).toEqual([200, 401])
    expect((await call(listApiKeys, { token, ...at(end) })).body.items).toHaveLength(1)
  })

  it('is not made by a request that a reset of the password overtakes', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const { mails } = await mailedBy(forgot, { body: { email: agent.email } })
    const reset = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
    const deps = overtakenBy(() => call(resetPassword, { body: reset }))
    const body = { name: 'Our system', scopes: ['listings:write'] }
    expect(await call(makeApiKey, { token, body, deps })).toMatchObject({ status: 401 })
    const { body: owner } = await call(login, { body: { email: agent.email, password: NEW_PASSWORD } })
    expect((await call(listApiKeys, { token: owner.accessToken })).body).toEqual({ items: [] })
  })

  it('is not made by a request that a sign-out everywhere overtakes', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const deps = overtakenBy(() => call(logout, { token: agent.token, body: { all: true } }))
    const body = { name: 'Our system', scopes: ['listings:write'] }
    expect(await call(makeApiKey, { token, body, deps })).toMatchObject({ status: 401 })
    const { body: owner } = await call(login, { body: { email: agent.email, password: PASSWORD } })
    expect((await call(listApiKeys, { token: owner.accessToken })).body).toEqual({ items: [] })
  })

  it('is one of ten at most, also when many are made at once', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    for (let count = 0; count < 8; count += 1) expect((await make(token)).status).toBe(201)
    const last = await Promise.all([1, 2, 3, 4].map(() => make(token)))
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    const { items } = (await call(listApiKeys, { token })).body
    expect(items).toHaveLength(10)
  })
})
