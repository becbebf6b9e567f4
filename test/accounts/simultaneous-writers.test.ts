import { isDeepStrictEqual } from 'node:util'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as undoChange } from '#functions/accounts/addresses/undo-email-change'
import { spec as verifyEmail } from '#functions/accounts/addresses/verify-email'
import { spec as deleteApiKey } from '#functions/accounts/api-keys/delete-api-key'
import { spec as makeApiKey } from '#functions/accounts/api-keys/make-api-key'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as removeTotp } from '#functions/accounts/second-factor/remove-totp'
import { spec as signInWithFactor } from '#functions/accounts/second-factor/sign-in-with-factor'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as endSession } from '#functions/accounts/sessions/end-session'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as removeSecondFactor } from '#functions/accounts/users/remove-second-factor'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as expireKyc } from '#functions/jobs/expire-kyc'
import { spec as rebuildAccounts } from '#functions/jobs/rebuild-accounts'
import { spec as secondFactors } from '#functions/jobs/second-factors'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as withdrawKyc } from '#functions/kyc/withdraw-kyc'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { Account } from '#lib/accounts/account'
import { accountKey, userListKey } from '#lib/accounts/account.keys'
import { userListEntries } from '#lib/accounts/user-lists'
import { dynamo } from '#lib/dynamo/client'
import type { Item } from '#lib/dynamo/item'
import { UserId } from '#lib/kernel/id'
import { call, problemOf } from '#test/support/call'
import { handIn, photograph } from '#test/support/documents'
import { withTotp } from '#test/support/factors'
import {
  anAgent,
  aUser,
  consoleToken,
  type GivenUser,
  hashOnce,
  PASSWORD,
  platformToken,
  verified,
} from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy, tokenIn } from '#test/support/mail'
import { testProviders } from '#test/support/providers'
import { snapshot } from '#test/support/table-changes'
import { testTable } from '#test/support/test-table'

const NEW_PASSWORD = 'nine herons over the weir'
const PHONE = '+2250700000001'
const PROFILE = { displayName: 'Awa Immobilier', phone: '+2250700000002' }
const PAYMENT = { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' }
/** The password is not what these writers are about. */
const CHEAP = { hashPassword: hashOnce }
const HOUR_MILLISECONDS = 3_600_000

/** A person with what their writers need, such as the tokens of mailed links; empty where the person has none. */
type Person = GivenUser & { recoveryCodes: string[]; otherSession: string; apiKey: string } & Record<
    'spentToken' | 'undoLink' | 'changeLink' | 'resetLink' | 'takeBackLink' | 'verificationLink',
    string
  >

const bare = (user: GivenUser): Person => ({
  ...user,
  ...{ recoveryCodes: [], otherSession: '', apiKey: '', spentToken: '' },
  ...{ undoLink: '', changeLink: '', resetLink: '', takeBackLink: '', verificationLink: '' },
})

const at = (milliseconds: number) => {
  const moment = Date.now() + milliseconds
  return { now: () => new Date(moment) }
}

const resetLinkOf = async ({ email }: { email: string }) =>
  tokenIn((await mailedBy(forgot, { body: { email } })).mails[0])

async function changeLinkOf(token: string, newEmail: string): Promise<string> {
  const { mails } = await mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD } })
  return tokenIn(mails.find(({ to }) => to === newEmail))
}

async function signedIn({ email, recoveryCodes }: Person, code = 0) {
  const first = await call(login, { body: { email, password: PASSWORD }, ipAddress: '192.0.2.1' })
  if (!first.text.includes('second_factor_required')) return first
  const { challenge } = problemOf(first, 'second_factor_required')
  return call(signInWithFactor, { body: { challenge, code: recoveryCodes[code] } })
}

async function guess({ token }: Person, times: number): Promise<void> {
  const body = { currentPassword: 'a wrong guess of it', newPassword: NEW_PASSWORD }
  for (let count = 0; count < times; count += 1)
    await call(changePassword, { token, body, ipAddress: '192.0.2.99' })
}

/** The token with a day to live and a step-up that is no older: all runs together may take longer than ten minutes. */
function lasting(token: string): Promise<string> {
  const tomorrow = Math.floor(
    at(24 * HOUR_MILLISECONDS)
      .now()
      .getTime() / 1000,
  )
  return platformToken({ ...decodeJwt(token), exp: tomorrow, auth_time: tomorrow })
}

/** Verifies a person for a time that has ended, which no job has recorded yet. */
async function verifiedUntilNow(userId: string): Promise<void> {
  const deps = at(-2 * HOUR_MILLISECONDS)
  const seconds = Math.floor(deps.now().getTime() / 1000)
  const token = await consoleToken({ iat: seconds, exp: seconds + 600, auth_time: seconds })
  const expiresAt = at(-HOUR_MILLISECONDS).now().toISOString()
  const body = { userId, kycStatus: 'VERIFIED', expiresAt }
  expect(await call(setKycStatus, { token, body, deps })).toMatchObject({ status: 200 })
}

async function anAgentWithPhone(): Promise<GivenUser> {
  const agent = await anAgent(PROFILE)
  expect(await call(changeProfile, { token: agent.token, body: { phone: PHONE } })).toMatchObject({
    status: 200,
  })
  return agent
}

/** An agent who has everything that an account can have, and whose verification has expired. */
async function anEstablishedAgent(): Promise<Person> {
  const agent = await withTotp(await anAgentWithPhone())
  const stepped = await call(stepUp, { token: agent.token, body: { code: agent.recoveryCodes[9] } })
  const token = await lasting(stepped.body.accessToken)
  const person = { ...bare(agent), ...agent, token }
  const newEmail = `new-${person.email}`
  const changed = await mailedBy(confirmChange, { body: { token: await changeLinkOf(token, newEmail) } })
  const moved = { ...person, email: newEmail, undoLink: tokenIn(changed.mails[0]) }
  const made = await call(makeApiKey, { token, body: { name: 'Ours', scopes: ['listings:read'] } })
  await handIn(token)
  const review = { token: await consoleToken(), params: { userId: person.id } }
  expect(await call(getKycReview, review)).toMatchObject({ status: 200 })
  await verifiedUntilNow(person.id)
  const other = (await signedIn(moved, 8)).body
  const { body: next } = await call(refresh, { body: { refreshToken: other.refreshToken } })
  // Two fewer than end the session: of two proofs at once each counts as wrong until it is decided.
  await guess(moved, 8)
  return {
    ...moved,
    apiKey: made.body.apiKey.id,
    refreshToken: next.refreshToken,
    spentToken: other.refreshToken,
    otherSession: String(decodeJwt(other.accessToken)['sid']),
    resetLink: await resetLinkOf(moved),
    changeLink: await changeLinkOf(token, `newer-${person.email}`),
  }
}

/** The same, while the person waits for review and for the removal of the second factor. */
async function aWaitingAgent(): Promise<Person> {
  const agent = await anEstablishedAgent()
  expect(await handIn(agent.token, { content: photograph('renewed') })).toMatchObject({ status: 201 })
  expect(await writers['a request to remove factors']?.(agent)).toMatchObject({ status: 202 })
  return agent
}

/** A verified agent whose address was never proven. */
async function anUnprovenAgent(): Promise<Person> {
  const registered = await aUser({ phone: PHONE })
  const user = { ...registered, token: await lasting(registered.token) }
  await call(putAgentProfile, { token: user.token, body: PROFILE })
  await verified(user.id)
  const { mails } = await mailedBy(requestVerification, { token: user.token })
  return { ...bare(user), takeBackLink: await resetLinkOf(user), verificationLink: tokenIn(mails[0]) }
}

async function aBannedAgent(): Promise<Person> {
  const agent = bare(await anAgentWithPhone())
  expect(await writers['a ban']?.(agent)).toMatchObject({ status: 200 })
  return agent
}

const change = async ({ id }: Person, body: object) =>
  call(updateUser, { token: await consoleToken(), params: { id }, body })

/** Everything that writes an account, or depends on it, as its callers ask for it. */
const writers: Record<string, (person: Person) => Promise<unknown>> = {
  'a change of name and telephone': ({ token }) =>
    call(changeProfile, { token, body: { name: 'Aïssatou Diop', phone: '+2250700000003' } }),
  'a change of the telephone': ({ token }) =>
    call(changeProfile, { token, body: { phone: '+2250700000004' } }),
  'another agent profile': ({ token }) =>
    call(putAgentProfile, { token, body: { displayName: 'Diop Homes', phone: '+2250700000005' } }),
  "the agent profile with the person's own telephone": ({ token }) =>
    call(putAgentProfile, { token, body: { ...PROFILE, phone: PHONE } }),
  'a new document': ({ token }) => handIn(token, { content: photograph('new') }),
  'a document handed in again': ({ token }) => handIn(token),
  'a withdrawal from review': ({ token }) => call(withdrawKyc, { token }),
  'a decision': async ({ id }) =>
    call(setKycStatus, { token: await consoleToken(), body: { userId: id, kycStatus: 'REJECTED' } }),
  'the end of a verification': () => runJob(expireKyc),
  'a ban': (person) => change(person, { status: 'BANNED', reason: 'Fraud' }),
  'the end of a ban': (person) => change(person, { status: 'ACTIVE' }),
  'other listing limits': (person) => change(person, { listingLimits: { drafts: 7 } }),
  'a sign-in': signedIn,
  'a sign-out everywhere': ({ token }) => call(logout, { token, body: { all: true } }),
  'a sign-out from another device': ({ token, otherSession }) =>
    call(endSession, { token, params: { id: otherSession } }),
  'a refresh from another network': ({ refreshToken }) =>
    call(refresh, { body: { refreshToken }, ipAddress: '198.51.100.7' }),
  'the use of a spent refresh token': async ({ spentToken }) =>
    call(refresh, { body: { refreshToken: spentToken }, deps: at(HOUR_MILLISECONDS) }),
  'a step-up': ({ token, recoveryCodes }) => call(stepUp, { token, body: { code: recoveryCodes[1] } }),
  'the tenth wrong password': (person) => guess(person, 2),
  'a new API key': ({ token }) =>
    call(makeApiKey, { token, body: { name: 'Theirs', scopes: ['listings:read'] } }),
  'the end of an API key': ({ token, apiKey }) => call(deleteApiKey, { token, params: { id: apiKey } }),
  'another password': ({ token }) =>
    call(changePassword, {
      token,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      deps: CHEAP,
    }),
  'a reset': ({ resetLink }) =>
    call(resetPassword, { body: { token: resetLink, newPassword: NEW_PASSWORD }, deps: CHEAP }),
  'a take-back by the owner of the address': ({ takeBackLink }) =>
    call(resetPassword, { body: { token: takeBackLink, newPassword: NEW_PASSWORD }, deps: CHEAP }),
  'a proven address': ({ verificationLink }) => call(verifyEmail, { body: { token: verificationLink } }),
  'a request to change the address': ({ token, id }) =>
    call(requestChange, { token, body: { newEmail: `newest-${id}@example.com`, password: PASSWORD } }),
  'a change of address': ({ changeLink }) => call(confirmChange, { body: { token: changeLink } }),
  'an undone change of address': ({ undoLink }) => call(undoChange, { body: { token: undoLink } }),
  'a removed factor': ({ token }) => call(removeTotp, { token }),
  'a request to remove factors': async ({ id }) =>
    call(removeSecondFactor, { token: await consoleToken(), params: { id }, body: { note: 'Lost' } }),
  'the removal of factors': () => runJob(secondFactors, at(25 * HOUR_MILLISECONDS)),
  'a started payment': ({ token }) =>
    call(createPayment, { token, body: PAYMENT, deps: { providers: testProviders() } }),
  'a rebuild of the lists': () => runJob(rebuildAccounts),
  'the end of the account': ({ token }) => call(deleteAccount, { token, body: { password: PASSWORD } }),
}

let people: Record<string, Person>
/** The table with these people, to which it returns after each run. */
let start: Map<string, Item>
/** In whose state each writer writes the account. */
const states = new Map<string, string[]>()

const { send } = dynamo
/** The places that were written since the table was last as it was at the start. */
const written = new Set<string>()
/** What happens just before the next write of a place. */
let next: { place: string; happens: () => Promise<void> } | undefined

const placeOf = ({ pk, sk }: Item): string => `${pk} ${sk}`
const placesIn = (input: object): string[] =>
  [...JSON.stringify(input).matchAll(/"pk":\{"S":"([^"]*)"\},"sk":\{"S":"([^"]*)"\}/g)].map(
    ([, pk, sk]) => `${pk} ${sk}`,
  )

/** Notes which places a request writes, before it is sent, and lets happen what waits for one of them. */
async function watch(operation: string, input: object): Promise<void> {
  const places = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(operation) ? placesIn(input) : []
  for (const place of places) written.add(place)
  if (next && places.includes(next.place)) {
    const { happens } = next
    next = undefined
    await happens()
  }
}

/** Lets a writer do its part. It may be refused, but not fail. */
async function write(writer: string, person: Person): Promise<void> {
  const answer = await writers[writer]?.(person)
  const status = typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : 200
  if (Number(status) >= 500) throw new Error(`${writer} failed: ${JSON.stringify(answer)}`)
}

/**
 * Runs one writer and lets something happen once it has read the account and before it writes it. Returns whether it wrote
 * the account.
 */
async function run(person: Person, writer: string, happens: () => Promise<void>): Promise<boolean> {
  const waiting = { place: placeOf(accountKey(UserId.parse(person.id))), happens }
  next = waiting
  await write(writer, person)
  const hasWritten = next !== waiting
  next = undefined
  return hasWritten
}

/** Returns the table to its start, and what had become of the places that were written. */
async function returned(): Promise<Map<string, Item>> {
  const keys = [...written].map((place) => {
    const [pk = '', sk = ''] = place.split(' ')
    return { pk, sk }
  })
  const items = await testTable().getMany(keys)
  await testTable().writeEach(
    keys.map((key) => {
      const put = start.get(placeOf(key))
      return put ? { put } : { remove: key }
    }),
  )
  written.clear()
  return new Map(items.map((item) => [placeOf(item), item]))
}

/** The places of a person's entries in the administrators' lists, among all items. */
const storedEntries = ({ id }: Person, items: ReadonlyMap<string, Item>) =>
  [...items].flatMap(([place, { kind, userId }]) => (kind === 'user-list' && userId === id ? [place] : []))

/** The places of the entries that a person's record makes; none without a record. */
function madeEntries({ id }: Person, items: ReadonlyMap<string, Item>): string[] {
  const record = items.get(placeOf(accountKey(UserId.parse(id))))
  const entries = record ? userListEntries(Account.parse(record)) : []
  return entries.map(({ list, order }) => placeOf(userListKey(list, order)))
}

beforeAll(async () => {
  people = {
    'an established agent': await anEstablishedAgent(),
    'a waiting agent': await aWaitingAgent(),
    'an unproven agent': await anUnprovenAgent(),
    'a banned agent': await aBannedAgent(),
  }
  start = await snapshot()
  dynamo.send = async (operation, input) => {
    await watch(operation, input)
    return send(operation, input)
  }
  for (const [state, person] of Object.entries(people)) {
    for (const writer of Object.keys(writers)) {
      if (await run(person, writer, async () => undefined))
        states.set(writer, [...(states.get(writer) ?? []), state])
      await returned()
    }
  }
})

afterAll(() => {
  dynamo.send = send
})

describe('two writers of one account', () => {
  it('each write the account of one of the people at least', () => {
    expect(Object.keys(writers).filter((writer) => !states.has(writer))).toEqual([])
  })

  it.each(Object.keys(writers))(
    'leave the lists as its record makes them after %s, whatever happens between its read and its write',
    async (writer) => {
      const wrong: unknown[] = []
      for (const meanwhile of Object.keys(writers)) {
        const state = states.get(writer)?.find((each) => states.get(meanwhile)?.includes(each))
        const person = state && people[state]
        if (!person) continue
        const hasWritten = await run(person, writer, () => write(meanwhile, person))
        const places = [...written]
        const found = await returned()
        const unchanged = [...start].filter(([place]) => !places.includes(place))
        const items = new Map([...unchanged, ...found])
        const [stored, made] = [storedEntries(person, items), madeEntries(person, items)]
        const isRight = isDeepStrictEqual(stored.sort(), made.sort())
        if (!hasWritten || !isRight) wrong.push({ meanwhile, state, hasWritten, stored, made })
      }
      expect(wrong).toEqual([])
    },
  )

  it.each([
    { writer: 'another password', state: 'an unproven agent', kept: 1 },
    { writer: 'a take-back by the owner of the address', state: 'an unproven agent', kept: 0 },
    { writer: 'a ban', state: 'an unproven agent', kept: 0 },
    { writer: 'a reset', state: 'an established agent', kept: 0 },
  ])(
    'leave only the session that is kept by $writer, whether a sign-in comes just before or just after it',
    async ({ writer, state, kept }) => {
      const person = people[state]
      if (!person) throw new Error(`Nobody is ${state}`)
      const place = placeOf(accountKey(UserId.parse(person.id)))
      for (const [first, second] of [
        [writer, 'a sign-in'],
        ['a sign-in', writer],
      ] as const) {
        expect(await run(person, first, () => write(second, person))).toBe(true)
        const account = Account.parse((await returned()).get(place))
        expect(Object.keys(account.sessions)).toHaveLength(kept)
      }
    },
  )

  it('leave the table of these tests as it was', async () => {
    expect(await snapshot()).toEqual(start)
  })
})
