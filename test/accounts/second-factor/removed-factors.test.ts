import { describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as undoChange } from '#functions/accounts/addresses/undo-email-change'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as beginPasskeySignIn } from '#functions/accounts/second-factor/begin-passkey-sign-in'
import { spec as beginTotp } from '#functions/accounts/second-factor/begin-totp'
import { spec as removeTotp } from '#functions/accounts/second-factor/remove-totp'
import { spec as renewRecoveryCodes } from '#functions/accounts/second-factor/renew-recovery-codes'
import { spec as showSecondFactor } from '#functions/accounts/second-factor/show-second-factor'
import { spec as signInWithFactor } from '#functions/accounts/second-factor/sign-in-with-factor'
import { spec as signInWithPasskey } from '#functions/accounts/second-factor/sign-in-with-passkey'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as removeSecondFactor } from '#functions/accounts/users/remove-second-factor'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as secondFactors } from '#functions/jobs/second-factors'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { passwordKey } from '#lib/accounts/passwords/password.keys'
import { factorsKey, passkeyKey } from '#lib/accounts/second-factor/factor.keys'
import { factors as factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { UserId } from '#lib/kernel/id'
import { softPasskey } from '#test/support/authenticator'
import { call, problemOf } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { codeOf, type Protected, steppedUp, withTotp } from '#test/support/factors'
import { aProvenUser, aUser, consoleToken, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy, tokenIn } from '#test/support/mail'
import { testTable } from '#test/support/test-table'

const HOUR_SECONDS = 60 * 60
const NEW_PASSWORD = 'nine herons over the weir'

/** A moment from now that stands still, so that no code grows old while a busy machine checks it. */
const inHours = (hours: number) => {
  const moment = Date.now() + hours * HOUR_SECONDS * 1000
  return { now: () => new Date(moment) }
}
type At = ReturnType<typeof inHours>

const secondsFromNow = ({ now }: At) => (now().getTime() - Date.now()) / 1000

/** Signs in by password and code, and answers a stepped-up token. */
async function signedInWithCode(
  { email }: { email: string },
  code: string,
  at: At,
  password = PASSWORD,
): Promise<string> {
  const first = await call(login, { body: { email, password }, deps: at })
  const { challenge } = problemOf(first, 'second_factor_required')
  const { body, text } = await call(signInWithFactor, { body: { challenge, code }, deps: at })
  const { accessToken } = body
  if (!accessToken) throw new Error(text)
  return accessToken
}

const totpCode = ({ secret }: Protected, at: At) => codeOf(secret, secondsFromNow(at))

/** Adds a passkey to a protected account. */
async function addAnother(token: string, at: At) {
  const passkey = softPasskey()
  const begun = (await call(beginPasskey, { token, deps: at })).body
  const credential = passkey.create(begun.options)
  const body = { challenge: begun.challenge, name: 'Another', credential }
  const added = await call(addPasskey, { token, body, deps: at })
  if (added.status !== 201) throw new Error(added.text)
  return passkey
}

/** Changes the address of a protected account. The result undoes that, and returns the token of the reset link. */
async function changedAddress(user: Protected, newEmail: string, at: At) {
  const token = await signedInWithCode(user, totpCode(user, at), at)
  const request = { token, body: { newEmail, password: PASSWORD }, deps: at }
  const asked = (await mailedBy(requestChange, request)).mails.find(({ to }) => to === newEmail)
  const changed = await mailedBy(confirmChange, { body: { token: tokenIn(asked) }, deps: at })
  expect(changed.answer.status).toBe(204)
  return async (deps: At): Promise<string> => {
    const undone = await mailedBy(undoChange, { body: { token: tokenIn(changed.mails[0]) }, deps })
    expect(undone.answer.status).toBe(204)
    return tokenIn(undone.mails[0])
  }
}

async function reset(email: string, at: At): Promise<void> {
  const { mails } = await mailedBy(forgot, { body: { email }, deps: at })
  const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
  expect((await call(resetPassword, { body, deps: at })).status).toBe(204)
}

/** What is asked for beside the password; none where the password alone signs in. */
async function methodsOf(email: string, at: At, password = NEW_PASSWORD): Promise<string[]> {
  const answer = await call(login, { body: { email, password }, deps: at })
  return answer.status === 200 ? [] : problemOf(answer, 'second_factor_required').methods
}

describe('a reset of the password', () => {
  it('keeps a factor that is 72 hours old, with its recovery codes, and removes a younger one', async () => {
    const user = await withTotp(await aProvenUser())
    const [later, latest] = [inHours(72.5), inHours(73)]
    await addAnother(await signedInWithCode(user, totpCode(user, later), later), later)
    expect(await methodsOf(user.email, latest, PASSWORD)).toEqual(['totp', 'passkey', 'recovery_code'])
    await reset(user.email, latest)
    expect(await methodsOf(user.email, latest)).toEqual(['totp', 'recovery_code'])
  })

  it('announces no change of factors when it keeps them all', async () => {
    const user = await withTotp(await aProvenUser())
    await reset(user.email, inHours(73))
    expect(await eventsOf(user.id, 'user.second_factor_changed')).toMatchObject([
      { data: { change: 'added' } },
    ])
  })

  it('removes a factor that is not 72 hours old yet', async () => {
    const user = await withTotp(await aProvenUser())
    await reset(user.email, inHours(71.9))
    expect(await methodsOf(user.email, inHours(71.9))).toEqual([])
  })

  // Whoever adds a factor where no code is left is shown ten new ones: they would outlive that factor.
  it('removes recovery codes that are younger than 72 hours', async () => {
    const user = await withTotp(await aProvenUser())
    const later = inHours(73)
    const token = await signedInWithCode(user, totpCode(user, later), later)
    const { body } = await call(renewRecoveryCodes, { token, deps: later })
    const [code] = body.recoveryCodes
    await reset(user.email, later)
    expect(await methodsOf(user.email, later)).toEqual(['totp'])
    const first = await call(login, { body: { email: user.email, password: NEW_PASSWORD }, deps: later })
    const { challenge } = problemOf(first, 'second_factor_required')
    const refused = await call(signInWithFactor, { body: { challenge, code }, deps: later })
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_second_factor' } })
  })

  it('a reset that takes back a never verified account removes every factor, however old', async () => {
    const squatter = await withTotp(await aUser())
    await reset(squatter.email, inHours(100))
    expect(await methodsOf(squatter.email, inHours(100))).toEqual([])
    const item = await testTable().get(factorsKey(UserId.parse(squatter.id)))
    expect(item).toMatchObject({ totp: null, passkeys: [], recoveryCodes: null })
  })
})

describe('an undone change of address', () => {
  const remaining = async ({ id }: Protected) => {
    const { totp, passkeys, recoveryCodes } = await factorStore.make().get(UserId.parse(id))
    return { totp: totp !== null, passkeys: passkeys.length, recoveryCodes: recoveryCodes !== null }
  }

  it('keeps a factor that was 72 hours old at the change, through the reset that follows, and removes one added since', async () => {
    const user = await withTotp(await aProvenUser())
    const [before, since] = [inHours(80), inHours(81)]
    const newEmail = `undone-${Date.now()}@example.com`
    const undo = await changedAddress(user, newEmail, before)
    const thief = await addAnother(
      await signedInWithCode({ email: newEmail }, totpCode(user, since), since),
      since,
    )
    const mailed = await undo(since)
    expect(await remaining(user)).toEqual({ totp: true, passkeys: 0, recoveryCodes: true })
    expect(await testTable().get(passkeyKey(thief.id))).toBeUndefined()

    const body = { token: mailed, newPassword: NEW_PASSWORD }
    expect((await call(resetPassword, { body, deps: since })).status).toBe(204)
    expect(await methodsOf(user.email, since)).toEqual(['totp', 'recovery_code'])
  })

  it('keeps no factor that was younger than 72 hours at the change, even if it is older at the undo', async () => {
    const user = await withTotp(await aProvenUser())
    const undo = await changedAddress(user, `undone-young-${Date.now()}@example.com`, inHours(71))
    const later = inHours(73)
    const mailed = await undo(later)
    expect(await remaining(user)).toEqual({ totp: false, passkeys: 0, recoveryCodes: false })
    const body = { token: mailed, newPassword: NEW_PASSWORD }
    expect((await call(resetPassword, { body, deps: later })).status).toBe(204)
    expect(await methodsOf(user.email, later)).toEqual([])
  })
})

describe('an account that ends', () => {
  it('leaves no password, secret, public key or recovery code, and frees its passkeys', async () => {
    const user = await withTotp(await aProvenUser())
    const at = inHours(0.1)
    const passkey = await addAnother(await signedInWithCode(user, totpCode(user, at), at), at)
    const token = await signedInWithCode(user, user.recoveryCodes[0] ?? '', at)
    expect(
      await call(deleteAccount, { token: user.token, body: { password: PASSWORD }, deps: at }),
    ).toMatchObject({
      status: 403,
      body: { code: 'step_up_required', methods: ['totp', 'passkey', 'recovery_code'] },
    })
    expect((await call(deleteAccount, { token, body: { password: PASSWORD }, deps: at })).status).toBe(204)
    expect(await testTable().get(factorsKey(UserId.parse(user.id)))).toBeUndefined()
    expect(await testTable().get(passkeyKey(passkey.id))).toBeUndefined()
    expect(await testTable().get(passwordKey(UserId.parse(user.id)))).toBeUndefined()
  })
})

describe('a set-up of an authenticator app', () => {
  it('a set-up that meets the end of its account stores no secret', async () => {
    const user = await aProvenUser()
    const token = await steppedUp(user)
    const factors = factorStore.make()
    const ending = {
      ...factors,
      get: async (id: UserId) => {
        const seen = await factors.get(id)
        await call(deleteAccount, { token, body: { password: PASSWORD } })
        return seen
      },
    }
    const answer = await call(beginTotp, { token, deps: { factors: ending } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await testTable().get(factorsKey(UserId.parse(user.id)))).toBeUndefined()
  })
})

describe('a removal that support was asked for', () => {
  const ask = async (id: string, at: At, body: unknown = { note: 'Lost the phone; passport seen' }) => {
    const seconds = Math.floor(at.now().getTime() / 1000)
    const token = await consoleToken({ iat: seconds, exp: seconds + 600, auth_time: seconds })
    return call(removeSecondFactor, { token, params: { id }, body, deps: at })
  }

  it('is announced 24 hours ahead, answers the same again, and then leaves the password alone', async () => {
    const user = await withTotp(await aProvenUser())
    const [now, later] = [inHours(0), inHours(3)]
    const removesAt = new Date(now.now().getTime() + 24 * HOUR_SECONDS * 1000).toISOString()
    const due = { now: () => new Date(removesAt) }
    expect(await ask(user.id, now)).toMatchObject({ status: 202, body: { removesAt } })
    expect(await ask(user.id, later)).toMatchObject({ status: 202, body: { removesAt } })
    expect((await call(showSecondFactor, { token: user.token })).body).toMatchObject({ removesAt })
    const shown = await call(getUser, { token: await consoleToken(), params: { id: user.id } })
    expect(shown.body).toMatchObject({ removesAt })
    const { body } = await call(listActions, { token: await consoleToken(), query: { subject: user.id } })
    const { items } = body
    expect(items.filter(({ action }) => action === 'user.second_factor_removed')).toMatchObject([
      { details: { removesAt } },
    ])

    await runJob(secondFactors, inHours(23.9))
    expect(await methodsOf(user.email, later, PASSWORD)).toEqual(['totp', 'recovery_code'])
    await runJob(secondFactors, due)
    expect(await methodsOf(user.email, due, PASSWORD)).toEqual([])
    expect(await eventsOf(user.id, 'user.second_factor_changed')).toMatchObject(
      ['added', 'to_be_removed', 'removed'].map((change) => ({ data: { change } })),
    )
  })

  it('is carried out by a run of the days after, where none ran on its own', async () => {
    const user = await withTotp(await aProvenUser())
    expect((await ask(user.id, inHours(0))).status).toBe(202)
    await runJob(secondFactors, inHours(24 * 4))
    expect(await methodsOf(user.email, inHours(24 * 4), PASSWORD)).toEqual([])
  })

  it('a removal is a 409 for an account without a factor, a 400 without a note, and a 404 for an unknown account', async () => {
    const user = await aUser()
    const at = inHours(0)
    expect(await ask(user.id, at)).toMatchObject({ status: 409, body: { code: 'second_factor_missing' } })
    for (const body of [{}, { note: '' }, { note: ' ' }, { note: 'x'.repeat(1001) }])
      expect(await ask(user.id, at, body)).toMatchObject({ status: 400 })
    expect(await ask('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', at)).toMatchObject({ status: 404 })
  })

  it.each([
    ['sign-in', 'code'],
    ['step-up', 'code'],
    ['sign-in', 'recovery code'],
  ])('is cancelled by a %s with a %s that was 72 hours old when it was asked for', async (way, factor) => {
    const user = await withTotp(await aProvenUser())
    const [before, at] = [inHours(72.9), inHours(73)]
    const token = await signedInWithCode(user, user.recoveryCodes[0] ?? '', before)
    expect((await ask(user.id, at)).status).toBe(202)
    const code = factor === 'code' ? totpCode(user, at) : (user.recoveryCodes[3] ?? '')
    if (way === 'sign-in') await signedInWithCode(user, code, at)
    else expect((await call(stepUp, { token, body: { code }, deps: at })).status).toBe(200)
    await runJob(secondFactors, inHours(98))
    expect(await methodsOf(user.email, inHours(98), PASSWORD)).toEqual(['totp', 'recovery_code'])
  })

  it('is cancelled by a passkey alone, too', async () => {
    const user = await withTotp(await aProvenUser())
    const [early, at] = [inHours(0.1), inHours(74)]
    const passkey = await addAnother(await signedInWithCode(user, totpCode(user, early), early), early)
    expect((await ask(user.id, at)).status).toBe(202)
    const asked = (await call(beginPasskeySignIn, { deps: at })).body
    const alone = { challenge: asked.challenge, credential: passkey.get(asked.options) }
    const signedIn = await call(signInWithPasskey, { body: alone, deps: at })
    expect(signedIn.status).toBe(200)
    const { accessToken: token } = signedIn.body
    expect((await call(showSecondFactor, { token, deps: at })).body).toMatchObject({ removesAt: null })
  })

  it('is not cancelled by a factor that was younger than 72 hours', async () => {
    const user = await withTotp(await aProvenUser())
    const [at, due] = [inHours(70), inHours(94.1)]
    expect((await ask(user.id, at)).status).toBe(202)
    await signedInWithCode(user, totpCode(user, inHours(75)), inHours(75))
    await runJob(secondFactors, due)
    expect(await methodsOf(user.email, due, PASSWORD)).toEqual([])
  })

  it('does not wait for a factor that is added after the person has removed the last one', async () => {
    const user = await withTotp(await aProvenUser())
    const at = inHours(0.2)
    expect((await ask(user.id, at)).status).toBe(202)
    const token = await signedInWithCode(user, user.recoveryCodes[0] ?? '', at)
    expect((await call(showSecondFactor, { token, deps: at })).body).toMatchObject({
      removesAt: expect.any(String),
    })
    expect((await call(removeTotp, { token, deps: at })).status).toBe(204)
    expect((await call(showSecondFactor, { token, deps: at })).body).toMatchObject({ removesAt: null })
    await withTotp(user)
    await runJob(secondFactors, inHours(24.5))
    expect(await methodsOf(user.email, inHours(24.5), PASSWORD)).toEqual(['totp', 'recovery_code'])
  })
})
