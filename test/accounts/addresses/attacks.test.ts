import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as undoChange } from '#functions/accounts/addresses/undo-email-change'
import { spec as verifyEmail } from '#functions/accounts/addresses/verify-email'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as getAgentProfile } from '#functions/accounts/get-agent-profile'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as getAgent } from '#functions/accounts/get-public-agent'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as endSession } from '#functions/accounts/sessions/end-session'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as createEnquiry } from '#functions/enquiries/create-enquiry'
import { spec as listEnquiries } from '#functions/enquiries/list-enquiries'
import { spec as listFavourites } from '#functions/favourites/list-favourites'
import { spec as saveFavourite } from '#functions/favourites/save-favourite'
import { spec as expireKyc } from '#functions/jobs/expire-kyc'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as followPayees } from '#functions/jobs/follow-payees'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as listOwnListings } from '#functions/listings/list-own-listings'
import { spec as getPreferences } from '#functions/notifications/get-preferences'
import { spec as putPreferences } from '#functions/notifications/put-preferences'
import { spec as createPayout } from '#functions/payouts/create-payout'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as createSavedSearch } from '#functions/saved-searches/create-saved-search'
import { accountKey } from '#lib/accounts/account.keys'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { enquiries as enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { favourites } from '#lib/favourites/favourite-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { MailId, type NewId, newId, type PayoutId, UserId } from '#lib/kernel/id'
import { listings as listingStore } from '#lib/listings/listing-store.dynamo'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailRequestKey } from '#lib/mail/mail-request.keys'
import type { Mail } from '#lib/mail/mailer'
import { preferencesOf } from '#lib/notifications/notification'
import { notifications as notificationStore } from '#lib/notifications/notification-store.dynamo'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payouts as payoutStore } from '#lib/payouts/payout-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { aListedHouse, anEnquiry } from '#test/support/enquiries'
import { eventsOf } from '#test/support/events'
import {
  anAgent,
  aProvenUser,
  aUser,
  aVerifiedAgent,
  consoleToken,
  type GivenUser,
  PASSWORD,
  verified,
} from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy, mailsSentFor, tokenIn } from '#test/support/mail'
import { uploaded } from '#test/support/media'
import { overtaken, overtakenBy } from '#test/support/overtaken'
import { BANK, correct, payTo, SETTINGS } from '#test/support/payouts'
import { jpeg } from '#test/support/pictures'
import { changeOf, deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let addresses = 0
const anAddress = () => {
  addresses += 1
  return `attacked-${addresses}@example.com`
}

const NEW_PASSWORD = 'nine herons over the weir'
const SEARCH = { name: 'Homes', filters: { city: 'Abidjan' }, alert: 'off' }
const INVALID_TOKEN = { status: 400, body: { code: 'invalid_token' } }
const inHours = (hours: number) => {
  const moment = Date.now() + hours * 3_600_000
  return { now: () => new Date(moment) }
}

const mailTo = (mails: readonly Mail[], address: string) => mails.find(({ to }) => to === address)
const ask = (token: string, newEmail: string, hours = 0) =>
  mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD }, deps: inHours(hours) })
const linkTo = async (token: string, newEmail: string, hours = 0) =>
  tokenIn(mailTo((await ask(token, newEmail, hours)).mails, newEmail))
const confirm = (token: string, hours = 0) =>
  mailedBy(confirmChange, { body: { token }, deps: inHours(hours) })
const undo = (token: string) => mailedBy(undoChange, { body: { token } })
const resetLink = async (email: string) => tokenIn((await mailedBy(forgot, { body: { email } })).mails[0])
const reset = (token: string) => call(resetPassword, { body: { token, newPassword: NEW_PASSWORD } })
const emailOf = async ({ token }: GivenUser) => (await call(getProfile, { token })).body.email

/** Notes the ids of the mails that a request asks for. */
const noting = (made: Set<MailId>) => {
  const noted: NewId = (kind) => {
    const id = newId(kind)
    if (kind === 'mail') made.add(MailId.parse(id))
    return id
  }
  return { newId: noted }
}

/** What is sent now of the mails that were asked for. */
async function mailsOf(asked: ReadonlySet<MailId>): Promise<Mail[]> {
  const items = await Promise.all([...asked].map((id) => testTable().get(mailRequestKey(id))))
  return mailsSentFor(items.filter((item) => item !== undefined))
}

const signOut = ({ token }: GivenUser) => call(logout, { token, body: {} })
const signOutEverywhere = ({ token }: GivenUser, deps: Record<string, unknown> = {}) =>
  call(logout, { token, body: { all: true }, deps })
const resetOf = async ({ email }: GivenUser, deps: Record<string, unknown> = {}) =>
  call(resetPassword, { body: { token: await resetLink(email), newPassword: NEW_PASSWORD }, deps })
const passwordChangeOf = ({ token }: GivenUser, deps: Record<string, unknown>) =>
  call(changePassword, { token, body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, deps })

/** Signs out, from another device, the one that the token is of. */
async function signOutFromAnother({ email, token }: GivenUser): Promise<void> {
  const { body: other } = await call(login, { body: { email, password: PASSWORD } })
  const params = { id: String(decodeJwt(token)['sid']) }
  expect(await call(endSession, { token: other.accessToken, params })).toMatchObject({ status: 204 })
}

async function guessPassword({ token }: GivenUser): Promise<void> {
  const body = { currentPassword: 'a wrong guess of it', newPassword: NEW_PASSWORD }
  for (let guess = 0; guess < 10; guess += 1)
    expect(await call(changePassword, { token, body })).toMatchObject({ status: 401 })
}

async function refreshTwice({ refreshToken }: GivenUser): Promise<void> {
  const again = (hours: number) => call(refresh, { body: { refreshToken }, deps: inHours(hours) })
  expect([(await again(0)).status, (await again(0.1)).status]).toEqual([200, 401])
}

const SESSION_ENDS: [string, (user: GivenUser) => Promise<unknown>][] = [
  ['a sign-out', signOut],
  ['a sign-out everywhere', signOutEverywhere],
  ['a sign-out from another device', signOutFromAnother],
  ['ten wrong passwords', guessPassword],
  ['the use of a spent refresh token', refreshTwice],
  ['a reset', resetOf],
  ['a ban', ban],
]

/** Changes the address of a proven account; returns the link that undoes it. */
async function changed({ token }: GivenUser, newEmail: string): Promise<string> {
  const { answer, mails } = await confirm(await linkTo(token, newEmail))
  expect(answer).toMatchObject({ status: 204 })
  return tokenIn(mails[0])
}

describe('a link that changes an address', () => {
  it('sent to a mistyped address is void once a newer request is confirmed, and before', async () => {
    const user = await aProvenUser()
    const [typo, right] = [anAddress(), anAddress()]
    const mistyped = await linkTo(user.token, typo)
    const meant = await linkTo(user.token, right)
    expect((await confirm(mistyped)).answer).toMatchObject(INVALID_TOKEN)
    expect((await confirm(meant)).answer).toMatchObject({ status: 204 })
    expect((await confirm(mistyped)).answer).toMatchObject(INVALID_TOKEN)
    expect(await emailOf(user)).toBe(right)
  })

  it.each(SESSION_ENDS)('is void after %s', async (_what, end) => {
    const user = await aProvenUser()
    const link = await linkTo(user.token, anAddress())
    await end(user)
    expect((await confirm(link)).answer).toMatchObject(INVALID_TOKEN)
  })

  it.each(SESSION_ENDS)('is not mailed after %s', async (_what, end) => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    const body = { newEmail, password: PASSWORD }
    const made = new Set<MailId>()
    expect(await call(requestChange, { token: user.token, body, deps: noting(made) })).toMatchObject({
      status: 202,
    })
    await end(user)
    expect(mailTo(await mailsOf(made), newEmail)).toBeUndefined()
  })

  it('stays good after other devices were signed out', async () => {
    const user = await aProvenUser()
    const link = await linkTo(user.token, anAddress())
    const { body: other } = await call(login, { body: { email: user.email, password: PASSWORD } })
    await signOut({ ...user, token: other.accessToken })
    expect((await confirm(link)).answer).toMatchObject({ status: 204 })
  })

  it('requested before a reset is void, also when its mail is sent after it', async () => {
    const user = await aProvenUser()
    const link = await linkTo(user.token, anAddress())
    expect(await reset(await resetLink(user.email))).toMatchObject({ status: 204 })
    expect((await confirm(link)).answer).toMatchObject(INVALID_TOKEN)
  })

  it.each([
    ['a sign-out everywhere', signOutEverywhere],
    ['a reset', resetOf],
    ['a change of the password', passwordChangeOf],
  ])('requested while %s is under way is void, also when its mail is sent after it', async (_what, end) => {
    const user = await aProvenUser()
    const made = new Set<MailId>()
    const body = { newEmail: anAddress(), password: PASSWORD }
    const answers: number[] = []
    const meanwhile = async () => {
      const asked = await call(requestChange, { token: user.token, body, deps: noting(made) })
      answers.push(asked.status)
    }
    expect(await end(user, overtakenBy(meanwhile))).toMatchObject({ status: 204 })
    expect(answers).toEqual([202])
    expect(mailTo(await mailsOf(made), body.newEmail)).toBeUndefined()
  })

  it.each([
    ['a sign-out everywhere', signOutEverywhere],
    ['a change of the password', passwordChangeOf],
  ])('is not mailed for a request that %s overtakes', async (_what, happens) => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    const { answer, mails } = await mailedBy(requestChange, {
      token: user.token,
      body: { newEmail, password: PASSWORD },
      deps: overtakenBy(() => happens(user, {})),
    })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(mailTo(mails, newEmail)).toBeUndefined()
  })

  it('a link that resets the password is void after a ban too, also once the ban is lifted', async () => {
    const user = await aProvenUser()
    const [change, password] = [await linkTo(user.token, anAddress()), await resetLink(user.email)]
    const token = await consoleToken()
    for (const status of ['BANNED', 'ACTIVE']) {
      const answer = await call(updateUser, { token, params: { id: user.id }, body: { status } })
      expect(answer).toMatchObject({ status: 200 })
    }
    expect((await confirm(change)).answer).toMatchObject(INVALID_TOKEN)
    expect(await reset(password)).toMatchObject(INVALID_TOKEN)
  })

  it('the present address is not told of one that was asked for under an earlier registration', async () => {
    const user = await aProvenUser()
    const userId = UserId.parse(user.id)
    const about = { registration: newId('registration'), userId, sessionId: null, network: null }
    const request = { purpose: 'email-change-asked', email: user.email, ...about } as const
    const mail = { id: newId('mail'), at: timestamp(new Date()), ...request }
    const queue = openMailQueue(testTable())
    await queue.commit([queue.request(mail)])
    expect(await mailsSentFor([mail])).toEqual([])
  })

  it('is reported to the present address although mails about earlier ones have failed', async () => {
    const user = await aProvenUser()
    const userId = UserId.parse(user.id)
    const table = testTable()
    const account = await accounts.make().get(userId)
    if (!account) throw new Error('There is no account')
    const queue = openMailQueue(table)
    const later = (minutes: number) => {
      const moment = new Date(Date.now() + minutes * 60_000)
      return { now: () => moment }
    }
    const failing = { mailer: { send: async () => Promise.reject(new Error('450 busy')) } }
    for (let count = 0; count < 5; count += 1) {
      const about = { registration: account.registration, userId, sessionId: null, network: null }
      const request = { purpose: 'email-change-asked', email: user.email, ...about } as const
      const mail = { id: newId('mail'), at: timestamp(new Date()), ...request }
      await queue.commit([queue.request(mail)])
      await mailsSentFor([mail], failing)
      await mailsSentFor([mail], { ...failing, ...later(2) })
      expect(await mailsSentFor([mail], later(6))).toMatchObject([{ to: user.email }])
    }
  })

  it('works once when it is confirmed twice at once', async () => {
    const user = await aProvenUser()
    const link = await linkTo(user.token, anAddress())
    const answers = await Promise.all([confirm(link), confirm(link)])
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([204, 400])
  })
})

describe('links of an earlier address', () => {
  it('a reset link that lies in the old mailbox is void after the change', async () => {
    const user = await aProvenUser()
    const old = await resetLink(user.email)
    await changed(user, anAddress())
    expect(await reset(old)).toMatchObject(INVALID_TOKEN)
  })

  it('a reset link that was mailed before a change stays void once the account has the old address again', async () => {
    const user = await aProvenUser()
    const old = await resetLink(user.email)
    await changed(user, anAddress())
    const back = await confirm(await linkTo(user.token, user.email, 0.1), 0.1)
    expect(back.answer).toMatchObject({ status: 204 })
    expect(await emailOf(user)).toBe(user.email)
    expect(await reset(old)).toMatchObject(INVALID_TOKEN)
  })

  it('a link that verifies the old address is void after the change', async () => {
    const user = await aUser()
    const { mails } = await mailedBy(requestVerification, { token: user.token })
    await confirm(await linkTo(user.token, anAddress()))
    expect(await call(verifyEmail, { body: { token: tokenIn(mails[0]) } })).toMatchObject(INVALID_TOKEN)
  })
})

describe('an address that was never proven', () => {
  it('is given up at once, and whoever registers it inherits nothing', async () => {
    const squatter = await aUser()
    const { answer, mails } = await confirm(await linkTo(squatter.token, anAddress()))
    expect(answer).toMatchObject({ status: 204 })
    expect(mails).toEqual([])
    const body = { email: squatter.email, password: NEW_PASSWORD, name: 'The owner' }
    const registered = await mailedBy(register, { body })
    expect(registered.answer).toMatchObject({ status: 201, body: { user: { name: 'The owner' } } })
    expect(registered.mails).toMatchObject([{ to: squatter.email }])
    expect((await mailedBy(forgot, { body: { email: squatter.email } })).mails).toHaveLength(1)
  })
})

describe('the eleventh change of an address in 72 hours', () => {
  it('is refused at the request with the time to wait, and allowed after it; the account can be deleted', async () => {
    const user = await aProvenUser()
    for (let change = 0; change < 10; change += 1) await changed(user, anAddress())
    const { answer, mails } = await ask(user.token, anAddress())
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(71 * 3600)
    expect(mails).toEqual([])
    const body = { password: PASSWORD }
    expect(await call(deleteAccount, { token: user.token, body })).toMatchObject({ status: 204 })
  })

  it('is allowed 72 hours after the first', async () => {
    const user = await aProvenUser()
    for (let change = 0; change < 10; change += 1) await changed(user, anAddress())
    const { accessToken } = (
      await call(login, { body: { email: await emailOf(user), password: PASSWORD }, deps: inHours(73) })
    ).body
    const body = { newEmail: anAddress(), password: PASSWORD }
    expect(await call(requestChange, { token: accessToken, body, deps: inHours(73) })).toMatchObject({
      status: 202,
    })
  })
})

describe('an undone change of address', () => {
  it('shows nothing that was entered since: name, telephone, agent profile, drafts, enquiries, what was saved', async () => {
    const owner = await aProvenUser({ phone: '+2250700000000' })
    const { listing } = await aListedHouse()
    const { id: before } = await anEnquiry(owner, listing)
    const link = await changed(owner, anAddress())
    const { token } = owner
    const { listing: other } = await aListedHouse()
    await call(changeProfile, { token, body: { name: 'Mallory', phone: '+2250799999999' } })
    await call(putAgentProfile, { token, body: { displayName: 'Mallory Homes' } })
    const draft = { offer: 'sale', category: 'house', title: 'Send money to Mallory', bedrooms: 7 }
    const created = await call(createListing, { token, body: draft })
    expect(created).toMatchObject({ status: 201 })
    const picture = await uploaded(created.body.id, token, [jpeg()], ['Mallory at home'])
    expect(picture).toMatchObject({ status: 201 })
    await anEnquiry(owner, other)
    expect(await call(saveFavourite, { token, params: { listingId: other } })).toMatchObject({ status: 204 })

    const { answer, mails } = await undo(link)
    expect(answer).toMatchObject({ status: 204 })
    await restored(owner)
    expect(await reset(tokenIn(mails[0]))).toMatchObject({ status: 204 })
    const signedIn = await call(login, { body: { email: owner.email, password: NEW_PASSWORD } })
    const { accessToken } = signedIn.body
    const own = { token: accessToken }
    expect(signedIn.body).toMatchObject({
      user: { name: 'Awa Koné', phone: '+2250700000000', roles: ['user'] },
    })
    expect(await call(getAgentProfile, own)).toMatchObject({ status: 404 })
    const { items: asked } = (await call(listEnquiries, own)).body
    expect(asked.map(({ id }) => id)).toEqual([before])
    expect(await call(listFavourites, own)).toMatchObject({ body: { items: [] } })
    await call(putAgentProfile, { ...own, body: { displayName: 'Awa' } })
    const { text } = await call(listOwnListings, own)
    expect(text).not.toContain('Mallory')
    expect(JSON.parse(text)).toMatchObject({ items: [{ status: 'ARCHIVED', bedrooms: null, media: [] }] })
  })

  it('leaves no payout account that was entered since, and no payout to it; one from before stays', async () => {
    const [robbed, safe] = [await aVerifiedAgent(), await aVerifiedAgent()]
    for (const agent of [robbed, safe]) expect(await payTo(agent)).toMatchObject({ status: 200 })
    const links = [await changed(robbed, anAddress()), await changed(safe, anAddress())]
    expect(await payTo(robbed, { ...BANK, holder: 'Mallory' })).toMatchObject({ status: 200 })
    const payouts = await Promise.all([payoutTo(robbed), payoutTo(safe)])
    for (const link of links) expect((await undo(link)).answer).toMatchObject({ status: 204 })
    for (const agent of [robbed, safe]) await restored(agent)
    const account = ({ id }: GivenUser) => payoutAccounts.make().get(UserId.parse(id))
    expect([await account(robbed), await account(safe)]).toMatchObject([undefined, { last4: '2606' }])
    const statuses = await Promise.all(payouts.map((id) => payoutStore.make().get(id)))
    expect(statuses).toMatchObject([{ status: 'CANCELLED' }, { status: 'AWAITING_APPROVAL' }])
    expect(await eventsOf(robbed.id, 'user.payout_account_changed')).toHaveLength(3)
  })

  it('brings back which mails the owner wanted before the change', async () => {
    const owner = await aProvenUser()
    const { token } = owner
    const put = (mail: Record<string, boolean>, deps: Record<string, unknown> = {}) =>
      call(putPreferences, { token, body: { mail }, deps })
    expect(await put({ payments: false })).toMatchObject({ status: 200 })
    const wanted = (await call(getPreferences, { token })).body
    const link = await changed(owner, anAddress())
    expect(await put({ payments: true, enquiries: false })).toMatchObject({ status: 200 })
    const notifications = overtaken(notificationStore.make(), 'commit', () => undo(link))
    expect(await put({ listings: false }, { notifications })).toMatchObject({ status: 401 })
    const stored = await notificationStore.make().state(UserId.parse(owner.id))
    expect({ mail: preferencesOf(stored) }).toEqual(wanted)
  })

  it('queues a restored agent profile, whose place another one was verified in, and no other', async () => {
    const [robbed, known, undecided] = [await anAgent(), await anAgent(), await anAgent()]
    const links = [await changed(robbed, anAddress()), await changed(known, anAddress())]
    links.push(await changed(undecided, anAddress()))
    for (const { token } of [robbed, undecided])
      await call(putAgentProfile, { token, body: { displayName: 'Mallory Homes' } })
    await verified(robbed.id)
    await verified(known.id)
    for (const link of links) expect((await undo(link)).answer).toMatchObject({ status: 204 })
    const token = await consoleToken()
    const reviews = await Promise.all(
      [robbed, known, undecided].map(({ id }) => call(getKycReview, { token, params: { userId: id } })),
    )
    expect(reviews.map(({ body }) => [body.kycStatus, body.waitingSince])).toEqual([
      ['VERIFIED', expect.any(String)],
      ['VERIFIED', null],
      ['UNVERIFIED', null],
    ])
    const isPublic = async ({ id }: GivenUser) =>
      (await call(getAgent, { params: { userId: id } })).status === 200
    expect([await isPublic(robbed), await isPublic(known)]).toEqual([false, true])
  })

  it('hides a person whose restored name is another than the verified one, until a decision', async () => {
    const [robbed, known, undecided, expired] = [
      await anAgent(),
      await anAgent(),
      await anAgent(),
      await aVerifiedAgent(),
    ]
    const people = [robbed, known, undecided, expired]
    const links: string[] = []
    for (const person of people) links.push(await changed(person, anAddress()))
    const token = await consoleToken()
    const ends = inHours(1 / 60)
    const expiresAt = ends.now().toISOString()
    const soon = { userId: expired.id, kycStatus: 'VERIFIED', expiresAt }
    expect(await call(setKycStatus, { token, body: soon })).toMatchObject({ status: 200 })
    await runJob(expireKyc, ends)
    for (const thief of [robbed, undecided, expired]) {
      const body = { name: 'Mallory' }
      expect(await call(changeProfile, { token: thief.token, body })).toMatchObject({ status: 200 })
    }
    await verified(robbed.id)
    await verified(known.id)
    for (const link of links) expect((await undo(link)).answer).toMatchObject({ status: 204 })

    const reviews = await Promise.all(
      people.map(({ id }) => call(getKycReview, { token, params: { userId: id } })),
    )
    expect(reviews.map(({ body }) => [body.user.name, body.kycStatus, body.waitingSince])).toEqual([
      ['Awa Koné', 'VERIFIED', expect.any(String)],
      ['Awa Koné', 'VERIFIED', null],
      ['Awa Koné', 'UNVERIFIED', null],
      ['Awa Koné', 'EXPIRED', null],
    ])
    const isPublic = async ({ id }: GivenUser) =>
      (await call(getAgent, { params: { userId: id } })).status === 200
    expect([await isPublic(robbed), await isPublic(known)]).toEqual([false, true])
    await verified(robbed.id)
    expect(await isPublic(robbed)).toBe(true)
  })

  it.each([
    ['name', changeProfile, { name: 'A Thief' }],
    ['agent profile', putAgentProfile, { displayName: 'A Thief' }],
  ])('is not followed by a change of the %s that it overtakes', async (_what, spec, body) => {
    const owner = await aProvenUser()
    const undoLink = await changed(owner, anAddress())
    const deps = overtakenBy(() => undo(undoLink))
    expect(await call(spec, { token: owner.token, body, deps })).toMatchObject({ status: 401 })
    const stored = await accounts.make().get(UserId.parse(owner.id))
    expect(stored?.agent).toBeNull()
    expect(stored?.name).not.toBe('A Thief')
  })

  it.each([
    ['draft', createListing, 'listings', listingStore, { offer: 'sale', category: 'house' }],
    ['enquiry', createEnquiry, 'enquiries', enquiryStore, { message: 'Send the keys' }],
    ['favourite', saveFavourite, 'favourites', favourites, undefined],
    ['saved search', createSavedSearch, 'searches', searches, SEARCH],
  ] as const)(
    'is followed by no %s of a request that it overtakes',
    async (_what, spec, name, store, body) => {
      const { listing } = await aListedHouse()
      const owner = await anAgent()
      const undoLink = await changed(owner, anAddress())
      const deps = { [name]: overtaken(store.make(), 'commit', () => undo(undoLink)) }
      const params = { id: listing, listingId: listing }
      const answer = await call(spec, { token: owner.token, params, body, deps })
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      const id = UserId.parse(owner.id)
      const page = { limit: 5, after: undefined }
      expect((await listingStore.make().byAgent(id, page)).items).toEqual([])
      expect((await enquiryStore.make().ofUser(id, 'customer', page)).items).toEqual([])
      expect(await favourites.make().ofUser(id)).toEqual([])
      expect(await searches.make().ofUser(id)).toEqual([])
    },
  )

  it('voids the links that were mailed since', async () => {
    const owner = await aProvenUser()
    const newEmail = anAddress()
    const link = await changed(owner, newEmail)
    const [change, password] = [await linkTo(owner.token, anAddress()), await resetLink(newEmail)]
    expect((await undo(link)).answer).toMatchObject({ status: 204 })
    expect((await confirm(change)).answer).toMatchObject(INVALID_TOKEN)
    expect(await reset(password)).toMatchObject(INVALID_TOKEN)
  })
})

/** Does what the stream would bring about of an address that was brought back. */
async function restored({ id }: GivenUser): Promise<void> {
  const query = { partition: accountKey(UserId.parse(id)).pk, beginsWith: 'RESTORATION#' }
  const { items } = await testTable().query(query)
  const changes = items.filter(({ kind }) => kind === 'restoration').map((item) => changeOf(undefined, item))
  expect(changes).toHaveLength(1)
  await deliveredTo(followAccounts, changes)
  await deliveredTo(followPayees, changes)
}

/** Orders a payout to an agent that a second administrator has to approve. */
async function payoutTo({ id: agentId }: GivenUser): Promise<PayoutId> {
  await correct(agentId, 5_000)
  const { status, body } = await call(createPayout, {
    token: await consoleToken(),
    body: { agentId, currency: 'EUR', method: 'by_hand' },
    deps: { payoutSettings: { ...SETTINGS, approvalLimits: { EUR: 1 } } },
  })
  expect([status, body.status]).toEqual([201, 'AWAITING_APPROVAL'])
  return body.id
}
