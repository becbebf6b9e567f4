import { beforeAll, describe, expect, inject, it } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as expireKyc } from '#functions/jobs/expire-kyc'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as listKycReviews } from '#functions/kyc/list-kyc-reviews'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { WriteConflict } from '#lib/kernel/write'
import { openKycStore } from '#lib/kyc/kyc-store.dynamo'
import { type Call, call } from '#test/support/call'
import { handIn, photograph } from '#test/support/documents'
import { eventsOf } from '#test/support/events'
import { anAgent, aProvenUser, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { pagesOf } from '#test/support/pages'
import { testTable } from '#test/support/test-table'

type Item = { userId: string; kycStatus: string; waitingSince: string | null; documentCount: number }

let admin: string
beforeAll(async () => {
  admin = await consoleToken({ sub: 'ama' })
})

const decide = (userId: string, kycStatus: string, more: object = {}) =>
  call(setKycStatus, { token: admin, body: { userId, kycStatus, ...more } })
const queue = async (query: Record<string, string> = {}) =>
  (await pagesOf<Item>(listKycReviews, admin, query)).flat()
const review = async ({ id }: GivenUser) =>
  (await call(getKycReview, { token: admin, params: { userId: id } })).body
const isWaiting = async ({ id }: GivenUser) => (await queue()).some(({ userId }) => userId === id)

describe('GET /admin/kyc', () => {
  it('begins with the person who has waited longest, and shows each person once', async () => {
    const people = [await aProvenUser(), await anAgent(), await aProvenUser()] as const
    await handIn(people[2].token)
    await decide(people[0].id, 'PENDING')
    await handIn(people[1].token)
    await handIn(people[2].token, { type: 'selfie' })
    const mine = (await queue()).filter(({ userId }) => people.some(({ id }) => id === userId))
    expect(mine).toEqual([
      expect.objectContaining({
        userId: people[2].id,
        kycStatus: 'UNVERIFIED',
        documentCount: 2,
        isAgent: false,
      }),
      expect.objectContaining({ userId: people[0].id, kycStatus: 'PENDING', documentCount: 0 }),
      expect.objectContaining({
        userId: people[1].id,
        isAgent: true,
        waitingSince: expect.stringMatching(/Z$/),
      }),
    ])
  })

  it('drops a person once decided, and shows the person again after the next document', async () => {
    const person = await aProvenUser()
    expect(await isWaiting(person)).toBe(false)
    await handIn(person.token)
    expect(await isWaiting(person)).toBe(true)
    await review(person)
    await decide(person.id, 'REJECTED', { reasons: ['document_unreadable'] })
    expect(await isWaiting(person)).toBe(false)
    await handIn(person.token, { content: photograph('sharper') })
    expect(await isWaiting(person)).toBe(true)
    await review(person)
    await decide(person.id, 'VERIFIED')
    expect(await isWaiting(person)).toBe(false)
  })

  // An attacker hands in a second document right before the decision, to have it pass unseen.
  it('keeps a person whose newest document no administrator was given a link to, until a decision after a look', async () => {
    const person = await aProvenUser()
    await handIn(person.token)
    await review(person)
    await handIn(person.token, { type: 'selfie' })
    await decide(person.id, 'VERIFIED')
    expect(await isWaiting(person)).toBe(true)
    await review(person)
    expect(await isWaiting(person)).toBe(true)
    await decide(person.id, 'VERIFIED')
    expect(await isWaiting(person)).toBe(false)
  })

  it('counts the time of waiting from its beginning, however often PENDING is decided again', async () => {
    const person = await aProvenUser()
    await decide(person.id, 'PENDING')
    const { waitingSince } = await review(person)
    await decide(person.id, 'PENDING', { note: 'Asked a colleague' })
    await handIn(person.token)
    expect((await review(person)).waitingSince).toBe(waitingSince)
    expect((await queue()).filter(({ userId }) => userId === person.id)).toHaveLength(1)
  })

  it('lists by status, with who waits among them where both are asked for', async () => {
    const [waiting, decided] = [await aProvenUser(), await aProvenUser()]
    for (const { id } of [waiting, decided]) await decide(id, 'REJECTED')
    await handIn(waiting.token)
    const mine = async (query: Record<string, string>) =>
      (await queue(query)).map(({ userId }) => userId).filter((id) => [waiting.id, decided.id].includes(id))
    expect(await mine({ status: 'REJECTED' })).toEqual([decided.id, waiting.id])
    expect(await mine({ status: 'REJECTED', awaitingReview: 'true' })).toEqual([waiting.id])
    expect(await mine({ status: 'VERIFIED' })).toEqual([])
    expect((await mine({ awaitingReview: 'false' })).sort()).toEqual([waiting.id, decided.id].sort())
  })

  it('goes from page to page without losing or repeating anyone', async () => {
    for (let count = 0; count < 7; count += 1) await handIn((await aProvenUser()).token)
    const whole = await queue({ limit: '100' })
    const pages = await pagesOf<Item>(listKycReviews, admin, { limit: '3' })
    expect(pages.flat()).toEqual(whole)
    expect(whole.map(({ waitingSince }) => waitingSince)).toEqual(
      whole.map(({ waitingSince }) => waitingSince).sort(),
    )
  })

  it('refuses a cursor that was changed, is of another list, or came with other filters', async () => {
    await handIn((await aProvenUser()).token)
    await handIn((await aProvenUser()).token)
    const first = await call(listKycReviews, { token: admin, query: { limit: '1' } })
    const nextCursor = first.body.nextCursor ?? ''
    const ask = (query: Record<string, string>) => call(listKycReviews, { token: admin, query })
    const middle = nextCursor.length / 2
    const changed =
      nextCursor.slice(0, middle) + (nextCursor[middle] === 'A' ? 'B' : 'A') + nextCursor.slice(middle + 1)
    expect((await ask({ cursor: nextCursor, limit: '5' })).status).toBe(200)
    for (const query of [
      { cursor: changed },
      { cursor: `${nextCursor}A` },
      { cursor: 'x' },
      { cursor: '' },
      { cursor: nextCursor, status: 'PENDING' },
      { cursor: nextCursor, awaitingReview: 'false' },
    ]) {
      expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    }
    expect(await ask({ limit: '101' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await ask({ status: 'verified' })).toMatchObject({ status: 400 })
    expect(await ask({ awaitingReview: 'yes' })).toMatchObject({ status: 400 })
  })
})

describe('GET /admin/kyc/{userId}', () => {
  it('shows the person, what they handed in and every decision, the newest first', async () => {
    const person = await anAgent()
    const document = (await handIn(person.token)).body
    await review(person)
    await decide(person.id, 'PENDING', { note: 'First look' })
    await decide(person.id, 'REJECTED', { reasons: ['name_mismatch'], message: 'The names differ' })
    const { status, body } = await call(getKycReview, { token: admin, params: { userId: person.id } })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        userId: person.id,
        kycStatus: 'REJECTED',
        reasons: ['name_mismatch'],
        message: 'The names differ',
        note: null,
        expiresAt: null,
        waitingSince: null,
        user: expect.objectContaining({
          id: person.id,
          email: person.email,
          status: 'ACTIVE',
          banReason: null,
        }),
        agent: expect.objectContaining({ displayName: 'Awa Immobilier' }),
        documents: [
          { ...document, url: expect.stringMatching(/^http/), urlExpiresAt: expect.stringMatching(/Z$/) },
        ],
        decisions: [
          expect.objectContaining({
            kycStatus: 'REJECTED',
            previousStatus: 'PENDING',
            reasons: ['name_mismatch'],
            message: 'The names differ',
            decidedBy: 'ama',
            decidedAt: expect.stringMatching(/Z$/),
          }),
          expect.objectContaining({ kycStatus: 'PENDING', previousStatus: 'UNVERIFIED', note: 'First look' }),
        ],
      },
    })
  })

  it('gives links that open the very bytes for five minutes, without any credential', async () => {
    const person = await aProvenUser()
    await handIn(person.token, { content: photograph('mine') })
    const [document] = (await review(person)).documents
    const answer = await fetch(document?.url ?? '')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(photograph('mine'))
    expect(answer.headers.get('content-disposition')).toBe('attachment')
    const link = new URL(document?.url ?? '')
    expect(link.searchParams.get('X-Amz-Expires')).toBe('300')
    expect((await fetch(`${link.origin}${link.pathname}`)).status).toBe(403)
  })

  it('shows no document to the public', async () => {
    const person = await aProvenUser()
    await handIn(person.token)
    const [document] = (await review(person)).documents
    const { pathname } = new URL(document?.url ?? '')
    expect((await fetch(`${inject('stack').mediaUrl}${pathname}`)).status).not.toBe(200)
  })

  it('records every link it gives out, with who asked and when', async () => {
    const person = await aProvenUser()
    const ids = [
      (await handIn(person.token)).body.id,
      (await handIn(person.token, { type: 'selfie' })).body.id,
    ]
    await review(person)
    await call(getKycReview, { token: await consoleToken({ sub: 'kofi' }), params: { userId: person.id } })
    const kycStore = openKycStore(testTable())
    const links = await kycStore.listGivenLinks(UserId.parse(person.id))
    expect(links.map(({ givenTo }) => givenTo).sort()).toEqual(['ama', 'kofi'])
    for (const { documentIds, at, expiresAt } of links) {
      expect([...documentIds].sort()).toEqual([...ids].sort())
      expect(Date.parse(expiresAt) - Date.parse(at)).toBe(300_000)
    }
  })

  it('records no link where there is no document, and in the journal which documents were linked', async () => {
    const person = await aProvenUser()
    const kycStore = openKycStore(testTable())
    await review(person)
    expect(await kycStore.listGivenLinks(UserId.parse(person.id))).toEqual([])
    const { id } = (await handIn(person.token)).body
    await review(person)
    const { items } = (await call(listActions, { token: admin, query: { subject: person.id } })).body
    expect(items).toMatchObject([
      { action: 'kyc.viewed', details: { documentIds: [id] } },
      { action: 'kyc.viewed', details: { documentIds: [] } },
    ])
  })

  it('gives no link to a document that its owner has withdrawn, who cannot withdraw one with a link', async () => {
    const person = await aProvenUser()
    await handIn(person.token)
    const id = UserId.parse(person.id)
    const kycStore = openKycStore(testTable())
    const [document] = await kycStore.listDocuments(id)
    if (!document) throw new Error('The document is not there')
    await kycStore.commit([kycStore.withdraw(id, document, document.createdAt)])
    const links = {
      ...{ id: newId('documentLinks'), documentIds: [document.id], givenTo: 'ama' },
      ...{ at: document.createdAt, expiresAt: document.createdAt },
    }
    await expect(kycStore.commit(kycStore.recordLinks(id, links, [document]))).rejects.toThrow(WriteConflict)
    expect(await kycStore.listGivenLinks(id)).toEqual([])
    expect((await review(person)).documents).toEqual([])
    await handIn(person.token, { type: 'selfie' })
    await review(person)
    const [linked] = await kycStore.listDocuments(id)
    if (!linked) throw new Error('The document is not there')
    const withdrawn = kycStore.commit([kycStore.withdraw(id, linked, linked.createdAt)])
    await expect(withdrawn).rejects.toThrow(WriteConflict)
  })

  it('shows an auditor documents without links, which is no look: the person keeps waiting after a decision', async () => {
    const person = await aProvenUser()
    const { id } = (await handIn(person.token)).body
    const token = await consoleToken({ sub: 'odile', 'cognito:groups': ['auditors'] })
    const { status, body } = await call(getKycReview, { token, params: { userId: person.id } })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { documents: [{ id, url: null, urlExpiresAt: null }] },
    })
    const kycStore = openKycStore(testTable())
    expect(await kycStore.listGivenLinks(UserId.parse(person.id))).toEqual([])
    const { items } = (await call(listActions, { token: admin, query: { subject: person.id } })).body
    expect(items).toMatchObject([{ by: 'odile', action: 'kyc.viewed', details: { documentIds: [] } }])
    await decide(person.id, 'VERIFIED')
    expect(await isWaiting(person)).toBe(true)
    expect((await review(person)).documents[0]?.url).toMatch(/^http/)
    await decide(person.id, 'VERIFIED')
    expect(await isWaiting(person)).toBe(false)
  })

  it('knows nobody by an id that is unknown or no id at all', async () => {
    for (const userId of ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'someone']) {
      expect(await call(getKycReview, { token: admin, params: { userId } })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
  })
})

describe('deciding', () => {
  it('judges each of many parallel decisions by the one before it, and records them all', async () => {
    const person = await aProvenUser()
    const statuses = ['PENDING', 'VERIFIED', 'REJECTED', 'PENDING', 'VERIFIED', 'REJECTED']
    const answers = await Promise.all(statuses.map((status) => decide(person.id, status)))
    const { decisions, kycStatus } = await review(person)
    const oldestFirst = decisions.toReversed()
    expect(answers.map(({ status }) => status).every((status) => [200, 409, 503].includes(status))).toBe(true)
    expect(oldestFirst[0]).toMatchObject({ previousStatus: 'UNVERIFIED' })
    for (const [index, { previousStatus }] of oldestFirst.slice(1).entries()) {
      expect(previousStatus).toBe(oldestFirst[index]?.['kycStatus'])
    }
    expect(oldestFirst.at(-1)?.['kycStatus']).toBe(kycStatus)
  })

  it('never loses sight of a document that arrives together with a decision', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await aProvenUser()
      await handIn(person.token)
      const [document] = await Promise.all([
        handIn(person.token, { type: 'selfie' }),
        decide(person.id, 'REJECTED'),
      ])
      const { waitingSince, decisions } = await review(person)
      const arrivedAt = document.body.createdAt
      const isNewer = waitingSince !== null
      expect(isNewer ? waitingSince : String(decisions[0]?.['decidedAt']) >= arrivedAt).toBeTruthy()
      expect(await isWaiting(person)).toBe(isNewer)
    }
  })
})

describe('a verification that ends', () => {
  it('is EXPIRED at that very moment, and recorded as a decision of the service by its job', async () => {
    const person = await aProvenUser()
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
    const deps = { now: () => inMinutes(6) }
    const expiresAt = inMinutes(5).toISOString()
    expect((await decide(person.id, 'VERIFIED', { expiresAt })).status).toBe(200)
    await handIn(person.token)
    const seen = (more: Call) => call(getKycReview, { token: admin, params: { userId: person.id }, ...more })
    expect(await seen({})).toMatchObject({ body: { kycStatus: 'VERIFIED' } })
    expect(await seen({ deps })).toMatchObject({
      body: { kycStatus: 'EXPIRED', decisions: [{ kycStatus: 'VERIFIED' }] },
    })
    for (let time = 0; time < 2; time += 1) await runJob(expireKyc, deps)
    const { decisions, waitingSince } = await review(person)
    expect(decisions).toMatchObject([
      { kycStatus: 'EXPIRED', previousStatus: 'VERIFIED', decidedBy: 'system' },
      { kycStatus: 'VERIFIED' },
    ])
    expect(waitingSince).not.toBeNull()
    expect((await queue({ status: 'EXPIRED' })).some(({ userId }) => userId === person.id)).toBe(true)
  })

  it('has its person wait for review once they hand in again a document that was judged before', async () => {
    const person = await aProvenUser()
    await handIn(person.token)
    await review(person)
    const ends = Date.now() + 5 * 60_000
    await decide(person.id, 'VERIFIED', { expiresAt: new Date(ends).toISOString() })
    expect((await handIn(person.token)).status).toBe(201)
    expect((await review(person)).waitingSince).toBeNull()
    await runJob(expireKyc, { now: () => new Date(ends) })
    expect((await handIn(person.token)).status).toBe(201)
    expect((await review(person)).waitingSince).not.toBeNull()
  })

  it('is announced two weeks before by the job, once, and the job says how many it announced and ended', async () => {
    const person = await aProvenUser()
    const day = 86_400_000
    const ends = Date.now() + 400 * day
    await decide(person.id, 'VERIFIED', { expiresAt: new Date(ends).toISOString() })
    const runAt = (moment: number) => runJob(expireKyc, { now: () => new Date(moment) })
    const counts = (expired: number, announced: number) => ({ expired, announced })
    expect(await runAt(ends - 15 * day)).toEqual(counts(0, 0))
    expect(await eventsOf(person.id, 'kyc.expiring')).toEqual([])
    expect(await runAt(ends - 14 * day)).toEqual(counts(0, 1))
    expect(await runAt(ends - 13 * day)).toEqual(counts(0, 0))
    expect(await eventsOf(person.id, 'kyc.expiring')).toMatchObject([
      { data: { expiresAt: new Date(ends).toISOString() } },
    ])
    expect(await runAt(ends + 7 * day)).toEqual(counts(1, 0))
    expect((await review(person)).kycStatus).toBe('EXPIRED')
  })

  it('is announced once: not by the job after its decision was within 14 days, and by one of two jobs at once', async () => {
    const [soon, later] = [await aProvenUser(), await aProvenUser()]
    const ends = Date.now() + 500 * 86_400_000
    const expiresAt = new Date(ends).toISOString()
    await decide(later.id, 'VERIFIED', { expiresAt })
    const near = { now: () => new Date(ends - 10 * 86_400_000) }
    const token = await consoleToken({ exp: Math.ceil(ends / 1000) })
    const body = { userId: soon.id, kycStatus: 'VERIFIED', expiresAt }
    expect(await call(setKycStatus, { token, body, deps: near })).toMatchObject({ status: 200 })
    expect(await runJob(expireKyc, near)).toEqual({ expired: 0, announced: 1 })
    expect(await eventsOf(soon.id, 'kyc.expiring')).toHaveLength(1)
    const kycStore = openKycStore(testTable())
    const expiry = {
      userId: UserId.parse(later.id),
      expiresAt: timestamp(new Date(ends)),
      isAnnounced: false,
    }
    await expect(kycStore.commit(kycStore.announceExpiry(expiry))).rejects.toThrow(WriteConflict)
  })

  it('is ended by the job whoever else fails, and other ends are announced; the job reports the failure', async () => {
    const [broken, ended, near] = [await aProvenUser(), await aProvenUser(), await aProvenUser()]
    const day = 86_400_000
    const ends = Date.now() + 700 * day
    const until = (moment: number) => ({ expiresAt: new Date(moment).toISOString() })
    await decide(broken.id, 'VERIFIED', until(ends))
    await decide(ended.id, 'VERIFIED', until(ends - 2 * day))
    await decide(near.id, 'VERIFIED', until(ends + 10 * day))
    const accounts = openAccounts(testTable())
    const get = async (id: UserId) => {
      if (id === broken.id) throw new Error('This record cannot be read')
      return accounts.get(id)
    }
    const run = runJob(expireKyc, { now: () => new Date(ends + 1_000), accounts: { ...accounts, get } })
    await expect(run).rejects.toThrow('This record cannot be read')
    expect((await review(ended)).decisions[0]).toMatchObject({ kycStatus: 'EXPIRED', decidedBy: 'system' })
    expect(await eventsOf(near.id, 'kyc.expiring')).toHaveLength(1)
  })

  it('is announced up to a week late where the job did not run', async () => {
    const person = await aProvenUser()
    const ends = Date.now() + 600 * 86_400_000
    await decide(person.id, 'VERIFIED', { expiresAt: new Date(ends).toISOString() })
    const runAt = (daysLeft: number) =>
      runJob(expireKyc, { now: () => new Date(ends - daysLeft * 86_400_000) })
    expect(await runAt(7)).toEqual({ expired: 0, announced: 1 })
    expect(await eventsOf(person.id, 'kyc.expiring')).toHaveLength(1)
  })
})
