import { describe, expect, it } from 'vitest'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { isFamiliarNetwork, withNetwork } from '#lib/accounts/throttle/known-networks'
import { newId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { aProvenUser, aUser, type GivenUser, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'

const DAY = 86_400_000
const NEW_PASSWORD = 'seven herons over the weir'
const inDays = (days: number) => {
  const moment = Date.now() + days * DAY
  return { now: () => new Date(moment) }
}

const signIn = async (
  { email }: GivenUser,
  { ipAddress = '203.0.113.7', days = 0, password = PASSWORD, ...more }: Record<string, unknown> = {},
) =>
  call(login, {
    body: { email, password, ...more },
    ipAddress: `${ipAddress}`,
    headers: { 'user-agent': 'Firefox' },
    deps: inDays(Number(days)),
  })
const tokensOf = async (answer: ReturnType<typeof signIn>) => (await answer).body
const alerts = async ({ id }: GivenUser) => (await eventsOf(id, 'user.signed_in_elsewhere')).length

const STRANGE = '198.51.100.20'

describe('a sign-in alert', () => {
  it('is sent for another network, also when the browser names itself as the owner’s does', async () => {
    const user = await aUser()
    await signIn(user)
    expect(await alerts(user)).toBe(0)
    expect(await signIn(user, { ipAddress: STRANGE })).toMatchObject({ status: 200 })
    expect(await alerts(user)).toBe(1)
  })

  it('is not sent for another network where the device shows its token, the oldest one too', async () => {
    const user = await aUser()
    const { deviceToken } = await tokensOf(signIn(user))
    await signIn(user)
    expect(await signIn(user, { ipAddress: STRANGE, deviceToken })).toMatchObject({ status: 200 })
    expect(await signIn(user, { ipAddress: '198.51.100.21', deviceToken, days: 364 })).toMatchObject({
      status: 200,
    })
    expect(await alerts(user)).toBe(0)
  })

  it.each([
    ['of another account', async () => (await tokensOf(signIn(await aUser()))).deviceToken],
    ['that is no token', async () => 'nonsense'],
    ['that is changed', async (own: string) => own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['whose time of issue is changed', async (own: string) => own.replace(/\.(.)/, '.z')],
  ])(
    'is sent for another network where the device token is one %s, and the sign-in succeeds',
    async (_, made) => {
      const user = await aUser()
      const own = await tokensOf(signIn(user))
      const deviceToken = await made(own.deviceToken)
      expect(await signIn(user, { ipAddress: STRANGE, deviceToken })).toMatchObject({ status: 200 })
      expect(await alerts(user)).toBe(1)
    },
  )

  it('is sent for a device token of more than a year', async () => {
    const user = await aUser()
    const { deviceToken } = await tokensOf(signIn(user))
    await signIn(user, { ipAddress: STRANGE, deviceToken, days: 366 })
    expect(await alerts(user)).toBe(1)
  })

  it('is sent for a network that no session has used for 90 days', async () => {
    const user = await aUser()
    await signIn(user, { days: 89 })
    expect(await alerts(user)).toBe(0)
    await signIn(user, { days: 180 })
    expect(await alerts(user)).toBe(1)
  })

  it('is sent for the network of a reset of the password, from which no session came', async () => {
    const user = await aProvenUser()
    const { mails } = await mailedBy(forgot, { body: { email: user.email } })
    const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
    expect(await call(resetPassword, { body, ipAddress: STRANGE })).toMatchObject({ status: 204 })
    expect(await signIn(user, { password: NEW_PASSWORD, ipAddress: STRANGE })).toMatchObject({ status: 200 })
    expect(await alerts(user)).toBe(1)
    expect(await signIn(user, { password: NEW_PASSWORD, ipAddress: STRANGE })).toMatchObject({ status: 200 })
    expect(await alerts(user)).toBe(1)
  })

  it('is not sent for a network to which a session has moved by a refresh', async () => {
    const user = await aUser()
    const moved = { body: { refreshToken: user.refreshToken }, ipAddress: STRANGE }
    expect(await call(refresh, moved)).toMatchObject({ status: 200 })
    await signIn(user, { ipAddress: STRANGE })
    expect(await alerts(user)).toBe(0)
  })

  it('is sent for the network that was used before the twenty newest', () => {
    const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 12, minutes))
    const network = (index: number) => `192.0.2.${index}`
    const account: Parameters<typeof withNetwork>[0] = { id: newId('user'), knownNetworks: {} }
    for (let index = 0; index <= 20; index += 1)
      account.knownNetworks = withNetwork(account, network(index), at(index))
    const familiar = [0, 1, 20].map((index) => isFamiliarNetwork(account, network(index), at(21)))
    expect(familiar).toEqual([false, true, true])
    expect(Object.keys(account.knownNetworks)).toHaveLength(20)
  })

  it('counts an IPv6 /64 as one network', async () => {
    const user = await aUser()
    await signIn(user, { ipAddress: '2001:db8:77:1::1' })
    await signIn(user, { ipAddress: '2001:db8:77:1:ffff::2' })
    expect(await alerts(user)).toBe(1)
  })
})

describe('a device token', () => {
  it('of each sign-in is another one, also of the same second, and names nobody', async () => {
    const user = await aUser()
    const now = new Date()
    const sameSecond = { body: { email: user.email, password: PASSWORD }, deps: { now: () => now } }
    const tokens = [await call(login, sameSecond), await call(login, sameSecond)].map(
      ({ body }) => body.deviceToken,
    )
    expect(new Set(tokens).size).toBe(2)
    expect(tokens.filter((token) => token.includes(user.id.slice(4)))).toEqual([])
    for (const deviceToken of tokens) await signIn(user, { ipAddress: STRANGE, deviceToken })
    expect(await alerts(user)).toBe(0)
  })

  it('is void after a new password, the changer’s own too', async () => {
    const user = await aUser()
    const { accessToken, deviceToken } = await tokensOf(signIn(user))
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect(await call(changePassword, { token: accessToken, body })).toMatchObject({ status: 204 })
    await signIn(user, { ipAddress: STRANGE, deviceToken, password: NEW_PASSWORD })
    expect(await alerts(user)).toBe(1)
  })

  it('is void after a sign-out everywhere, and stays good after a sign-out of one device', async () => {
    const user = await aUser()
    const { accessToken, deviceToken } = await tokensOf(signIn(user))
    await call(logout, { token: accessToken, body: {} })
    const again = await tokensOf(signIn(user, { ipAddress: STRANGE, deviceToken }))
    expect(await alerts(user)).toBe(0)
    await call(logout, { token: again.accessToken, body: { all: true } })
    await signIn(user, { ipAddress: '198.51.100.22', deviceToken })
    expect(await alerts(user)).toBe(1)
  })

  it('a device token of 512 characters counts as none, and a longer one is refused', async () => {
    const user = await aUser()
    expect(await signIn(user, { deviceToken: 'x'.repeat(512) })).toMatchObject({ status: 200 })
    expect(await signIn(user, { deviceToken: 'x'.repeat(513) })).toMatchObject({ status: 400 })
  })
})

describe('a session', () => {
  it('ends 90 days after its sign-in, however often it is refreshed', async () => {
    const user = await aUser()
    let { refreshToken } = user
    const spend = async (days: number) => {
      const answer = await call(refresh, { body: { refreshToken }, deps: inDays(days) })
      if (answer.status === 200) refreshToken = answer.body.refreshToken
      return answer.status
    }
    expect([await spend(29), await spend(58), await spend(87), await spend(89)]).toEqual([200, 200, 200, 200])
    expect(await spend(90.01)).toBe(401)
  })
})
