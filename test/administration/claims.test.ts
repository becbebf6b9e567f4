import { describe, expect, it } from 'vitest'
import { spec as claimSubject } from '#functions/administration/claim-subject'
import { spec as releaseClaim } from '#functions/administration/release-claim'
import { spec as listQueuedListings } from '#functions/listings/list-queued-listings'
import { newId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing } from '#test/support/listings'

const ama = () => consoleToken({ sub: 'ama' })
const kofi = () => consoleToken({ sub: 'kofi' })
const claim = async (token: string, subject: string, now = new Date()) =>
  call(claimSubject, { token, params: { subject }, deps: { now: () => now } })
const release = async (token: string, subject: string) => call(releaseClaim, { token, params: { subject } })

describe('a claim', () => {
  it('is held for ten minutes, and prolonged by who holds it', async () => {
    const subject = newId('user')
    const now = new Date()
    const until = new Date(now.getTime() + 600_000).toISOString()
    expect((await claim(await ama(), subject, now)).body).toEqual({ subject, by: 'ama', until })
    const later = new Date(now.getTime() + 1_000)
    const prolonged = new Date(later.getTime() + 600_000).toISOString()
    expect((await claim(await ama(), subject, later)).body).toMatchObject({ until: prolonged })
  })

  it('a claim of another is a 409 with the holder and the end, for taking and for releasing it', async () => {
    const subject = newId('listing')
    const { body } = await claim(await ama(), subject)
    const { until } = body
    const refusal = { status: 409, body: { code: 'already_claimed', by: 'ama', until } }
    expect(await claim(await kofi(), subject)).toMatchObject(refusal)
    expect(await release(await kofi(), subject)).toMatchObject(refusal)
  })

  it('an expired claim is free', async () => {
    const subject = newId('payment')
    await claim(await ama(), subject, new Date(Date.now() - 601_000))
    expect((await claim(await kofi(), subject)).body).toMatchObject({ by: 'kofi' })
  })

  it('a claim of one’s own, or none, is released with 204', async () => {
    const subject = newId('enquiry')
    expect((await release(await ama(), subject)).status).toBe(204)
    await claim(await ama(), subject)
    expect((await release(await ama(), subject)).status).toBe(204)
    expect((await claim(await kofi(), subject)).status).toBe(200)
  })

  it('is taken by one of two who ask at once', async () => {
    const subject = newId('callback')
    const tokens = [await ama(), await kofi()] as const
    // A later clock must not take what an earlier one has just been given.
    const later = new Date(Date.now() + 5)
    const answers = await Promise.all([claim(tokens[0], subject), claim(tokens[1], subject, later)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('stands in the queue of listings for as long as it is held', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id, { status: 'PENDING_REVIEW', publishedAt: null })
    const claimants = async () => {
      const { body } = await call(listQueuedListings, { token: await ama(), query: { agent: agent.id } })
      return body.items.map(({ claimedBy }) => claimedBy)
    }
    expect(await claimants()).toEqual([null])
    await claim(await kofi(), id)
    expect(await claimants()).toEqual(['kofi'])
    await release(await kofi(), id)
    expect(await claimants()).toEqual([null])
  })

  it.each(['usr_1', 'med_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'anything'])(
    'a claim of %s is a 404',
    async (subject) => {
      expect((await claim(await ama(), subject)).status).toBe(404)
    },
  )
})
