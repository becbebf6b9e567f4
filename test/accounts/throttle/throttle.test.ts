import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { spec as requestEmailChange } from '#functions/accounts/addresses/request-email-change'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as beginPasskeySignIn } from '#functions/accounts/second-factor/begin-passkey-sign-in'
import { spec as signInWithPasskey } from '#functions/accounts/second-factor/sign-in-with-passkey'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { passwords as passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { countRequest } from '#lib/accounts/throttle/count-attempt'
import { networksOf } from '#lib/accounts/throttle/network-address'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { type SoftPasskey, softPasskey } from '#test/support/authenticator'
import { type Answer, call, problemOf } from '#test/support/call'
import { withPasskey } from '#test/support/factors'
import { aUser, PASSWORD } from '#test/support/given'

// A minute's beginning, so that what is counted below falls into whole slots of time.
const START = Math.ceil(Date.now() / 60_000) * 60_000

let addresses = 0
const anAddress = () => {
  addresses += 1
  return `198.51.100.${addresses}`
}

type Try = { email: string; password?: string; ipAddress?: string; minutes?: number; deps?: object }

const attempt = ({ email, password = 'not the password', ipAddress, minutes = 0, deps = {} }: Try) =>
  call(login, {
    body: { email, password },
    ...(ipAddress && { ipAddress }),
    deps: { now: () => new Date(START + minutes * 60_000), ...deps },
  })

const statuses = (answers: Answer[]) => answers.map(({ status }) => status)

const failing = async (count: number, how: Try) => {
  for (let failed = 0; failed < count; failed += 1) expect(await attempt(how)).toMatchObject({ status: 401 })
}

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

describe('ten failures for one account from one address in 15 minutes', () => {
  it('refuse even the right password there, say until when, and count no longer then', async () => {
    const { email } = await aUser()
    const ipAddress = anAddress()
    await failing(10, { email, ipAddress })
    const refused = await attempt({ email, ipAddress, password: PASSWORD, minutes: 3 })
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
      headers: {
        'retry-after': '720',
        'ratelimit-policy': '"login";q=10;w=900',
        ratelimit: '"login";r=0;t=720',
      },
    })
    expect(await attempt({ email, ipAddress, password: PASSWORD, minutes: 14.9 })).toMatchObject({
      status: 429,
    })
    expect(await attempt({ email, ipAddress, password: PASSWORD, minutes: 15 })).toMatchObject({
      status: 200,
    })
  })

  it('leave every other address alone', async () => {
    const { email } = await aUser()
    await failing(10, { email, ipAddress: anAddress() })
    expect(await attempt({ email, ipAddress: anAddress(), password: PASSWORD })).toMatchObject({
      status: 200,
    })
  })

  // Whoever could tell a throttled account from a throttled nobody could ask which addresses have accounts.
  it('are refused alike whether there is such an account or not', async () => {
    const { email } = await aUser()
    const seen = (answer: Answer) => ({
      status: answer.status,
      headers: { ...answer.headers, 'x-request-id': '' },
      body: { ...problemOf(answer), requestId: '' },
    })
    const refusals = await Promise.all(
      [email, 'nobody@example.com'].map(async (tried) => {
        const ipAddress = anAddress()
        await failing(10, { email: tried, ipAddress })
        return seen(await attempt({ email: tried, ipAddress }))
      }),
    )
    expect(refusals[0]).toEqual(refusals[1])
    expect(refusals[0]?.status).toBe(429)
  })

  it('stay ten when forty guesses come at the same moment', async () => {
    const { email } = await aUser()
    const ipAddress = anAddress()
    const answers = statuses(await times(40, () => attempt({ email, ipAddress })))
    expect(answers.filter((status) => status === 401)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(30)
  })

  it('are the same account in whatever letter case, and the same address anywhere in an IPv6 /64', async () => {
    const { email } = await aUser()
    await failing(5, { email, ipAddress: '2001:db8::1' })
    await failing(5, { email: email.toUpperCase(), ipAddress: '2001:0db8:0:0:ffff::2' })
    expect(await attempt({ email, ipAddress: '2001:db8:0:0:1:2:3:4' })).toMatchObject({ status: 429 })
    expect(await attempt({ email, ipAddress: '2001:db8:0:1::1' })).toMatchObject({ status: 401 })
  })
})

describe('signing in with the right password', { timeout: 60_000 }, () => {
  it('never counts', async () => {
    const { email } = await aUser()
    const ipAddress = anAddress()
    await failing(9, { email, ipAddress })
    for (let count = 0; count < 12; count += 1) {
      expect(await attempt({ email, ipAddress, password: PASSWORD })).toMatchObject({ status: 200 })
    }
    await failing(1, { email, ipAddress })
    expect(await attempt({ email, ipAddress })).toMatchObject({ status: 429 })
  })

  it('is refused at once while ten attempts of the network are undecided, and not after them', async () => {
    const { email } = await aUser()
    const ipAddress = anAddress()
    const store = passwordStore.make()
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let waiting = 0
    const passwords: typeof store = {
      ...store,
      get: async (id) => {
        waiting += 1
        if (waiting === 10) reached.resolve()
        await gate.promise
        return store.get(id)
      },
    }
    const ten = times(10, () => attempt({ email, ipAddress, password: PASSWORD, deps: { passwords } }))
    await reached.promise
    const throttle = loginThrottle.make()
    const { counters } = throttle
    let reserved = 0
    const add: typeof counters.add = (of, at, by) => {
      if (of.subject.startsWith('login\n')) reserved += 1
      return counters.add(of, at, by)
    }
    const deps = { throttle: { ...throttle, counters: { ...counters, add } } }
    const refused = await attempt({ email, ipAddress, password: PASSWORD, deps })
    // It asked once and did not wait for the ten.
    expect(reserved).toBe(1)
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1', 'ratelimit-policy': '"login";q=10;w=900' },
    })
    gate.resolve()
    expect(statuses(await ten)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await attempt({ email, ipAddress, password: PASSWORD })).toMatchObject({ status: 200 })
  })

  it('of a session is refused at once while ten of its proofs are undecided', async () => {
    const user = await aUser()
    const { counters } = loginThrottle.make()
    const { sid } = decodeJwt(user.token)
    const of = { subject: `current-password\n${sid}`, windowSeconds: 3_600 }
    await counters.add(of, new Date(), { pending: 10 })
    const stepsUp = () => call(stepUp, { token: user.token, body: { password: PASSWORD } })
    expect(await stepsUp()).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    await counters.settle(of, new Date(), { pending: -10 })
    expect((await stepsUp()).status).toBe(200)
  })
})

// More than a hundred passwords are hashed for each.
describe('a hundred failures', { timeout: 120_000 }, () => {
  it('from one address over all accounts are refused there, on the local stack a thousand times later', async () => {
    const ipAddress = anAddress()
    const guesses = await times(110, (index) => attempt({ email: `guess-${index}@example.com`, ipAddress }))
    expect(statuses(guesses).filter((status) => status === 401)).toHaveLength(100)
    const refused = guesses.find(({ status }) => status === 429)
    expect(refused?.headers['ratelimit-policy']).toBe('"login-address";q=100;w=900')

    const throttle = { ...loginThrottle.make(), networkLimitFactor: 1_000 }
    const locally = await attempt({ email: 'guess-x@example.com', ipAddress, deps: { throttle } })
    expect(locally).toMatchObject({ status: 401 })
  })

  it('a hundred failures for one account in an hour refuse strangers, but no network where its owner has signed in', async () => {
    const { email } = await aUser()
    const home = anAddress()
    expect(await attempt({ email, ipAddress: home, password: PASSWORD })).toMatchObject({ status: 200 })
    await times(100, (index) => attempt({ email, ipAddress: `192.0.2.${index}` }))
    const stranger = await attempt({ email, ipAddress: anAddress(), password: PASSWORD, minutes: 59 })
    expect(stranger).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60', 'ratelimit-policy': '"login-account";q=100;w=3600' },
    })
    expect(await attempt({ email, ipAddress: home, password: PASSWORD })).toMatchObject({ status: 200 })
    expect(await attempt({ email, ipAddress: anAddress(), password: PASSWORD, minutes: 60 })).toMatchObject({
      status: 200,
    })
  })
})

describe('the networks of an address', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['2001:DB8:0:12::', ['2001:db8:0:12::/64', '2001:db8:0::/48']],
    ['2001:0db8:0000:0012:1:2:3:4', ['2001:db8:0:12::/64', '2001:db8:0::/48']],
    ['fe80::1', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ])('%s are %j', (address, networks) => {
    expect(networksOf(address).map(({ network }) => network)).toEqual(networks)
  })
})

describe('an IPv6 /48', () => {
  it('has ten times the limit of each of its /64s', async () => {
    const limit = { policy: 'spread', limit: 2, windowSeconds: 900 }
    const deps = { throttle: loginThrottle.make(), now: () => new Date(START) }
    const count = (subnet: number) => countRequest(deps, limit, `2001:db8:48:${subnet.toString(16)}::1`)
    const refusals: (number | undefined)[] = []
    for (let index = 0; index < 22; index += 1)
      refusals.push((await count(Math.floor(index / 2)))?.options.exceeded?.limit)
    expect(refusals).toEqual([...Array.from({ length: 20 }, () => undefined), 20, 20])
    expect((await countRequest(deps, limit, '2001:db8:49::1'))?.code).toBeUndefined()
  })

  it('a hundred failures for one account from one IPv6 /48 in 15 minutes refuse every /64 of it', async () => {
    const { email } = await aUser()
    const { counters } = loginThrottle.make()
    const of = { subject: `login\n${email}\n2001:db8:50::/48`, windowSeconds: 900 }
    await counters.add(of, new Date(START), { counted: 99 })
    await failing(1, { email, ipAddress: '2001:db8:50:1::1' })
    const refused = await attempt({ email, ipAddress: '2001:db8:50:2::1', password: PASSWORD })
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"login";q=100;w=900' },
    })
    const elsewhere = await attempt({ email, ipAddress: '2001:db8:51:2::1', password: PASSWORD })
    expect(elsewhere.status).toBe(200)
  })
})

describe('checks of passwords', () => {
  it('count for their network, right and wrong ones: the 301st in 15 minutes is refused', async () => {
    const ipAddress = anAddress()
    const { email } = await aUser()
    const throttle = countedUpTo({ 'password-checks': 299 })
    expect(await attempt({ email, ipAddress, password: PASSWORD, deps: { throttle } })).toMatchObject({
      status: 200,
    })
    const refused = countedUpTo({ 'password-checks': 300 })
    expect(
      await attempt({ email, ipAddress, password: PASSWORD, deps: { throttle: refused } }),
    ).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
      headers: { 'ratelimit-policy': '"password-checks";q=300;w=900' },
    })
  })

  it('checks of one network are counted together at every endpoint that asks for a password', async () => {
    const ipAddress = anAddress()
    const user = await aUser()
    const { counters } = loginThrottle.make()
    const of = { subject: `password-checks\n${ipAddress}`, windowSeconds: 900 }
    const counted = async () =>
      (await counters.add(of, new Date(), {})).counted.reduce((sum, { count }) => sum + count, 0)
    await call(login, { body: { email: user.email, password: PASSWORD }, ipAddress })
    const body = { currentPassword: 'wrong', newPassword: 'seven herons over the weir' }
    await call(changePassword, { token: user.token, body, ipAddress })
    await call(deleteAccount, { token: user.token, body: { password: 'wrong' }, ipAddress })
    const change = { newEmail: 'another@example.com', password: 'wrong' }
    await call(requestEmailChange, { token: user.token, body: change, ipAddress })
    expect(await counted()).toBe(4)
  })

  it('right passwords count for their account from any network: the 61st in an hour is refused', async () => {
    const { email } = await aUser()
    const right = (index: number) =>
      attempt({ email, ipAddress: `2001:db8:61:${index}::1`, password: PASSWORD })
    const answers: Answer[] = []
    for (let index = 0; index < 61; index += 1) answers.push(await right(index))
    expect(statuses(answers)).toEqual([...Array.from({ length: 60 }, () => 200), 429])
    expect(await attempt({ email, ipAddress: anAddress(), password: PASSWORD, minutes: 60 })).toMatchObject({
      status: 200,
    })
  })
})

describe('sign-ins by a passkey alone', () => {
  const signIn = async (
    passkey: SoftPasskey,
    { isForged = false, ...request }: Record<string, unknown> = {},
  ) => {
    const { challenge, options } = (await call(beginPasskeySignIn)).body
    const credential = passkey.get(options, { isForged: isForged === true })
    return call(signInWithPasskey, { body: { challenge, credential }, ...request })
  }

  it('count for their network as checks of a password do, unknown and malformed ones too', async () => {
    const ipAddress = anAddress()
    const { passkey } = await withPasskey(await aUser())
    const throttle = countedUpTo({ 'password-checks': 300 })
    const refused = [
      await signIn(passkey, { ipAddress, deps: { throttle } }),
      await signIn(softPasskey(), { ipAddress, deps: { throttle } }),
      await call(signInWithPasskey, {
        body: { challenge: 'none', credential: {} },
        ipAddress,
        deps: { throttle },
      }),
    ]
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 429,
        headers: { 'ratelimit-policy': '"password-checks";q=300;w=900' },
      })
    expect((await signIn(passkey, { ipAddress })).status).toBe(200)
  })

  it('right ones count for their account: the 61st in an hour is refused', async () => {
    const user = await aUser()
    const { passkey } = await withPasskey(user)
    const { counters } = loginThrottle.make()
    const right = { subject: `right-password\n${user.id}`, windowSeconds: 3_600 }
    // The step-up for the passkey was one, too.
    await counters.add(right, new Date(), { counted: 58 })
    expect((await signIn(passkey)).status).toBe(200)
    expect(await signIn(passkey)).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"right-passwords";q=60;w=3600' },
    })
  })

  it('ten wrong ones of a passkey from one address are refused there, known and unknown passkeys alike', async () => {
    const { passkey } = await withPasskey(await aUser())
    for (const tried of [passkey, softPasskey()]) {
      const ipAddress = anAddress()
      const answers: Answer[] = []
      for (let index = 0; index < 11; index += 1)
        answers.push(await signIn(tried, { ipAddress, isForged: true }))
      expect(statuses(answers)).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    }
    expect((await signIn(passkey, { ipAddress: anAddress() })).status).toBe(200)
  })
})

/** The counters, with so many attempts of a policy counted before. */
function countedUpTo(before: Record<string, number>) {
  const throttle = loginThrottle.make()
  const { counters } = throttle
  const add: typeof counters.add = async (of, at, by) => {
    const tally = await counters.add(of, at, by)
    const [policy = ''] = of.subject.split('\n')
    const slot = Math.floor(at.getTime() / 1000 / (of.windowSeconds / 60))
    return { ...tally, counted: [...tally.counted, { slot, count: before[policy] ?? 0 }] }
  }
  return { ...throttle, counters: { ...counters, add } }
}
