import { describe, expect, it } from 'vitest'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { aUser } from '#test/support/given'
import { mailedBy } from '#test/support/mail'

const START = Math.ceil(Date.now() / 60_000) * 60_000
const after = (minutes: number) => ({ now: () => new Date(START + minutes * 60_000) })

// An attacker asks for another person's resets, or for verifications from inside an account with their address.
describe('mailed links', () => {
  it('are counted for each kind of link', async () => {
    const { token, email } = await aUser()
    for (let sent = 0; sent < 6; sent += 1) await mailedBy(requestVerification, { token })
    expect((await mailedBy(requestVerification, { token })).mails).toEqual([])
    expect((await mailedBy(forgot, { body: { email } })).mails).toHaveLength(1)
  })

  it('a mail that is not sent counts toward no limit', async () => {
    const { email } = await aUser()
    const ask = async (minutes: number) =>
      (await mailedBy(forgot, { body: { email }, deps: after(minutes) })).mails.length
    for (let minute = 0; minute < 5; minute += 1) expect(await ask(minute)).toBe(1)
    const sent = []
    for (let minute = 9; minute < 60; minute += 9) sent.push(await ask(minute))
    expect(sent).toEqual([0, 0, 1, 0, 1, 0])
  })

  it('are answered 202 and not stored for a network that asks for more than ten an hour, and for no other', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => aUser()))
    const counts = []
    for (const { email } of people) {
      counts.push((await mailedBy(forgot, { body: { email }, ipAddress: '192.0.2.77' })).mails.length)
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    const stored = await mailedBy(forgot, { body: { email: people[0]?.email }, ipAddress: '192.0.2.77' })
    expect(stored).toMatchObject({ answer: { status: 202 }, mails: [] })
    expect(stored.stored).toBe(0)
    const email = people[11]?.email
    expect((await mailedBy(forgot, { body: { email } })).mails).toHaveLength(1)
  })
})
