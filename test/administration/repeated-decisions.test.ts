import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as changeWebhook } from '#functions/webhooks/change-webhook'
import { spec as createWebhook } from '#functions/webhooks/create-webhook'
import { spec as deleteWebhook } from '#functions/webhooks/delete-webhook'
import { spec as listDeliveries } from '#functions/webhooks/list-deliveries'
import { spec as redeliver } from '#functions/webhooks/redeliver'
import { spec as rotateSecret } from '#functions/webhooks/rotate-secret'
import { spec as testWebhook } from '#functions/webhooks/test-webhook'
import { idempotencyPartition } from '#lib/dynamo/dynamo.keys'
import type { HttpSpec } from '#lib/http/spec'
import { administratorId } from '#lib/kernel/id'
import { type Answer, call } from '#test/support/call'
import { aUser, aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing, listingOf } from '#test/support/listings'
import { testTable } from '#test/support/test-table'

let token: string
beforeAll(async () => {
  token = await consoleToken()
})

type Shown = { id: string; secret: string }

/** Sends a request with a key of its own, and returns its answer and what sends the same request again. */
async function sentOnce(spec: HttpSpec, request: object) {
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => call(spec, { token, headers, ...request }) as Promise<Answer<Shown>>
  return { first: await send(), again: send }
}

/** Expects an answer to be the first one, marked as replayed. */
function expectReplay(again: Answer, first: Answer): void {
  expect(again).toMatchObject({ status: first.status, body: first.body })
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
  expect(again.headers['etag']).toBe(first.headers['etag'])
}

describe('a decision that is sent again with its key', () => {
  it('about an identity is answered as the first time, and leaves a later decision in force', async () => {
    const { id } = await aUser()
    const decide = (kycStatus: string) => ({ body: { userId: id, kycStatus, message: 'Thank you' } })
    const { first, again } = await sentOnce(setKycStatus, decide('VERIFIED'))
    await call(setKycStatus, { token, ...decide('REJECTED') })
    expect(first.status).toBe(200)
    expectReplay(await again(), first)
    const { body } = await call(getKycReview, { token, params: { userId: id } })
    expect(body.decisions).toHaveLength(2)
    expect(body.user.kycStatus).toBe('REJECTED')
  })

  it('and changed nothing is answered as the first time, after a later decision too', async () => {
    const { id } = await aUser()
    const decide = (kycStatus: string) => ({ body: { userId: id, kycStatus } })
    await call(setKycStatus, { token, ...decide('VERIFIED') })
    const { first, again } = await sentOnce(setKycStatus, decide('VERIFIED'))
    await call(setKycStatus, { token, ...decide('REJECTED') })
    expectReplay(await again(), first)
    expect((await call(getUser, { token, params: { id } })).body.kycStatus).toBe('REJECTED')
  })

  it('about a listing is answered as the first time, whatever version it names', async () => {
    const { id: agentId } = await aVerifiedAgent()
    const id = await aListing(agentId)
    const { first, again } = await sentOnce(moderateListing, {
      params: { id },
      body: { status: 'SUSPENDED', reasons: ['duplicate'] },
      headers: { 'idempotency-key': randomUUID(), 'if-match': '"1"' },
    })
    await call(moderateListing, { token, params: { id }, body: { status: 'REJECTED', reasons: ['other'] } })
    expect(first.status).toBe(200)
    expectReplay(await again(), first)
    expect((await listingOf(id))?.status).toBe('REJECTED')
  })

  it('about a user is answered as the first time, and does not ban them again', async () => {
    const { id } = await aUser()
    const { first, again } = await sentOnce(updateUser, {
      params: { id },
      body: { status: 'BANNED', reason: 'Spam' },
    })
    await call(updateUser, { token, params: { id }, body: { status: 'ACTIVE' } })
    expect(first.status).toBe(200)
    expectReplay(await again(), first)
    expect((await call(getUser, { token, params: { id } })).body.status).toBe('ACTIVE')
  })

  it('with another body is refused', async () => {
    const { id } = await aUser()
    const headers = { 'idempotency-key': randomUUID() }
    const decide = (kycStatus: string) =>
      call(setKycStatus, { token, headers, body: { userId: id, kycStatus } })
    expect((await decide('PENDING')).status).toBe(200)
    expect(await decide('VERIFIED')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
})

describe('a change of webhooks that is sent again with its key', () => {
  const INPUT = { url: 'https://receiver.example.com/hooks', types: ['user.registered'] }
  const params = ({ body }: Answer<{ id: string }>) => ({ id: body.id })
  const aWebhook = () => call(createWebhook, { token, body: INPUT })

  /** Every stored answer of the administrator, as text. */
  const storedAnswers = async () => {
    const partition = idempotencyPartition(administratorId('admin'))
    return JSON.stringify(await testTable().queryAll({ partition }))
  }

  it('registers one webhook and repeats its secret, which is stored encrypted', async () => {
    const { first, again } = await sentOnce(createWebhook, { body: INPUT })
    expect(first.status).toBe(201)
    expectReplay(await again(), first)
    expect(await storedAnswers()).not.toContain(first.body.secret)
    await call(deleteWebhook, { token, params: params(first) })
  })

  it('rotates the secret once', async () => {
    const webhook = await aWebhook()
    const { first, again } = await sentOnce(rotateSecret, { params: params(webhook) })
    expect(first.body.secret).not.toBe(webhook.body.secret)
    expectReplay(await again(), first)
    expect(await storedAnswers()).not.toContain(first.body.secret)
    await call(deleteWebhook, { token, params: params(webhook) })
  })

  it('changes it once', async () => {
    const webhook = await aWebhook()
    const change = (description: string) => ({ params: params(webhook), body: { description } })
    const { first, again } = await sentOnce(changeWebhook, change('Ours'))
    await call(changeWebhook, { token, ...change('Theirs') })
    expectReplay(await again(), first)
    await call(deleteWebhook, { token, params: params(webhook) })
  })

  it('removes it with the first answer, though it is gone', async () => {
    const { first, again } = await sentOnce(deleteWebhook, { params: params(await aWebhook()) })
    expect(first.status).toBe(204)
    expectReplay(await again(), first)
  })

  it('sends one ping, and one redelivery', async () => {
    const webhook = await aWebhook()
    const pinged = await sentOnce(testWebhook, { params: params(webhook) })
    expectReplay(await pinged.again(), pinged.first)
    const attempts = async () =>
      (await call(listDeliveries, { token, params: params(webhook) })).body.items as { id: string }[]
    const [ping, ...others] = await attempts()
    expect(others).toEqual([])
    const repeated = { ...params(webhook), deliveryId: ping?.id ?? '' }
    const redelivered = await sentOnce(redeliver, { params: repeated })
    expectReplay(await redelivered.again(), redelivered.first)
    expect(await attempts()).toHaveLength(2)
    await call(deleteWebhook, { token, params: params(webhook) })
  })
})
