import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { spec as getKyc } from '#functions/kyc/get-kyc'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as uploadKycDocument } from '#functions/kyc/upload-kyc-document'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { openQuotas } from '#lib/dynamo/quotas'
import { PART_MAX_BYTES } from '#lib/http/input/multipart'
import { UserId } from '#lib/kernel/id'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { documentObjectPrefix } from '#lib/kyc/kyc.keys'
import { s3 } from '#lib/objects/s3-client'
import { ban } from '#test/support/bans'
import { call, problemOf } from '#test/support/call'
import { form, handIn, photograph } from '#test/support/documents'
import { html, pdf, svg } from '#test/support/files'
import { anAgent, aProvenUser, aUser, consoleToken, PASSWORD } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { uploaded } from '#test/support/media'
import { filePart, textPart } from '#test/support/multipart'
import { overtakenBy } from '#test/support/overtaken'
import { SAMPLES } from '#test/support/samples'
import { TEST_BUCKETS } from '#test/support/test-stack'
import { testTable } from '#test/support/test-table'

const kycOf = async (token: string) => (await call(getKyc, { token })).body

describe('GET /auth/kyc', () => {
  it('says of a new user that nobody has decided anything', async () => {
    const { token } = await aProvenUser()
    expect(await call(getKyc, { token })).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
    })
    expect(await kycOf(token)).toEqual({
      kycStatus: 'UNVERIFIED',
      reasons: [],
      message: null,
      expiresAt: null,
      waitingSince: null,
      nextStep: 'HAND_IN_DOCUMENTS',
      documents: [],
    })
  })

  it('says why and what to do, and shows no note of administrators', async () => {
    const { id, token } = await aProvenUser()
    const body = {
      userId: id,
      kycStatus: 'REJECTED',
      reasons: ['document_unreadable'],
      message: 'Please photograph it in daylight',
      note: 'Looks like the man from Tuesday',
    }
    await call(setKycStatus, { token: await consoleToken(), body })
    expect(await kycOf(token)).toEqual({
      kycStatus: 'REJECTED',
      reasons: ['document_unreadable'],
      message: 'Please photograph it in daylight',
      expiresAt: null,
      waitingSince: null,
      nextStep: 'HAND_IN_DOCUMENTS',
      documents: [],
    })
  })

  it.each([
    ['more than 30 days before its end', 30 * 24 + 1, null],
    ['less than 30 days before its end', 30 * 24 - 1, 'RENEW'],
  ])('asks to renew a verification in time: %s', async (_what, hoursLeft, nextStep) => {
    const { id, token } = await aProvenUser()
    const expiresAt = new Date(Date.now() + hoursLeft * 3_600_000).toISOString()
    const body = { userId: id, kycStatus: 'VERIFIED', expiresAt }
    expect(await call(setKycStatus, { token: await consoleToken(), body })).toMatchObject({ status: 200 })
    expect(await kycOf(token)).toMatchObject({ expiresAt, nextStep })
  })

  it.each([
    ['from the 30th day before its end', 30 * 86_400_000, [null, 'RENEW']],
    ['still when it has ended', 0, ['RENEW', 'RENEW']],
  ])('asks to renew a verification %s', async (_when, before, nextSteps) => {
    const { id, token } = await aProvenUser()
    const from = Date.now() + 60_000
    const expiresAt = new Date(from + before).toISOString()
    await call(setKycStatus, {
      token: await consoleToken(),
      body: { userId: id, kycStatus: 'VERIFIED', expiresAt },
    })
    const nextStepAt = async (moment: number) =>
      (await call(getKyc, { token, deps: { now: () => new Date(moment) } })).body.nextStep
    expect(await Promise.all([from - 1, from].map(nextStepAt))).toEqual(nextSteps)
  })

  it('asks for nothing after a verification without an end', async () => {
    const { id, token } = await aProvenUser()
    await call(setKycStatus, { token: await consoleToken(), body: { userId: id, kycStatus: 'VERIFIED' } })
    expect(await kycOf(token)).toMatchObject({ kycStatus: 'VERIFIED', expiresAt: null, nextStep: null })
  })
})

describe('POST /auth/kyc/documents', () => {
  it('is refused while the e-mail is not verified, whatever is sent', async () => {
    const { token } = await aUser()
    expect(await handIn(token)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
    expect(await call(uploadKycDocument, { token })).toMatchObject({ body: { code: 'email_not_verified' } })
  })

  it('takes a document and leaves the status as it is', async () => {
    const { token } = await aProvenUser()
    const { status, body } = await handIn(token)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^doc_/),
        type: 'passport',
        contentType: 'image/jpeg',
        bytes: photograph().length,
        createdAt: expect.stringMatching(/Z$/),
      },
    })
    expect(await kycOf(token)).toMatchObject({ kycStatus: 'UNVERIFIED', documents: [body] })
  })

  it.each([
    ['image/jpeg', photograph()],
    ['image/png', Buffer.from(SAMPLES.png, 'base64')],
    ['image/webp', Buffer.from(SAMPLES.lossyWebp, 'base64')],
    ['application/pdf', pdf()],
  ])('knows %s by its bytes, whatever the part says of itself', async (contentType, content) => {
    const { token } = await aProvenUser()
    expect(await handIn(token, { content })).toMatchObject({ status: 201, body: { contentType } })
  })

  it.each([
    ['a web page', html()],
    ['a picture that is a program', svg()],
    ['an AVIF', Buffer.from(SAMPLES.avif, 'base64')],
    ['nothing', Buffer.alloc(0)],
    ['half a PDF', pdf().subarray(0, 40)],
  ])('refuses %s', async (_what, content) => {
    const { token } = await aProvenUser()
    expect(await handIn(token, { content })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'file' }] },
    })
    expect(await kycOf(token)).toMatchObject({ documents: [] })
  })

  it('refuses a file over 4 MiB by its size', async () => {
    const { token } = await aProvenUser()
    expect(await handIn(token, { content: pdf({ bytes: PART_MAX_BYTES }) })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: expect.not.stringContaining('/media/uploads') },
    })
  })

  it('names everything that is missing or wrong in one answer', async () => {
    const { token } = await aProvenUser()
    const paths = async (...parts: Parameters<typeof form>) => {
      const answer = await call(uploadKycDocument, { token, ...form(...parts) })
      return [answer.status, ...problemOf(answer, 'validation_failed').errors.map(({ path }) => path)]
    }
    expect(await paths(textPart('x', 'other'))).toEqual([400, 'file', 'type'])
    expect(await paths(filePart(html()), textPart('library_card', 'type'))).toEqual([400, 'file', 'type'])
    expect(await paths(filePart(photograph()))).toEqual([400, 'type'])
    expect(await paths(filePart(photograph()), filePart(photograph()), textPart('selfie', 'type'))).toEqual([
      400,
      'file',
    ])
  })

  it('takes the same bytes as the same type once, even when they come ten times at once', async () => {
    const { token } = await aProvenUser()
    const answers = await Promise.all(Array.from({ length: 10 }, () => handIn(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await handIn(token, { type: 'selfie' })).status).toBe(201)
    expect((await kycOf(token))['documents']).toHaveLength(2)
  })

  it('takes fifty documents and no more, even when more come at once', async () => {
    const { token } = await aProvenUser()
    for (let count = 0; count < 47; count += 1) await handIn(token, { content: photograph(`${count}`) })
    const last = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((mark) => handIn(token, { content: photograph(mark) })),
    )
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409])
    expect(last.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'document_limit_reached' },
    })
    expect((await handIn(token, { content: photograph('0') })).status).toBe(201)
    expect((await kycOf(token))['documents']).toHaveLength(50)
  })

  it('is for users: an administrator has no documents of their own', async () => {
    expect(await handIn(await consoleToken())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})

describe('an account that is banned while a document is handed in', () => {
  it('keeps no document, and does not begin to wait for review', async () => {
    const user = await aProvenUser()
    const answer = await call(uploadKycDocument, {
      token: user.token,
      ...form(filePart(photograph()), textPart('passport', 'type')),
      deps: overtakenBy(() => ban(user)),
    })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    const account = await accounts.make().get(UserId.parse(user.id))
    expect(account?.kyc).toMatchObject({ documentCount: 0, waitingSince: null })
  })
})

describe('an account that ends while a document is handed in', () => {
  it('keeps neither the document nor its bytes', async () => {
    const { token } = await aProvenUser()
    const stored = documentFiles.make()
    const removed: unknown[] = []
    const files = {
      ...stored,
      put: async (...file: Parameters<typeof stored.put>) => {
        await stored.put(...file)
        await call(deleteAccount, { token, body: { password: PASSWORD } })
      },
      remove: async (...file: Parameters<typeof stored.remove>) => {
        removed.push(file)
        await stored.remove(...file)
      },
    }
    const parts = form(filePart(photograph()), textPart('passport', 'type'))
    const answer = await call(uploadKycDocument, { token, ...parts, deps: { files } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(removed).toHaveLength(1)
  })
})

describe('the budget of uploads', () => {
  it('counts documents with media, keeps nothing beyond it, and does not count what is there already', async () => {
    const agent = await anAgent()
    const quota = { policy: 'files', limit: 200, windowSeconds: 3600 }
    await testTable().commit([openQuotas(testTable()).count(quota, agent.id, new Date(), 199)])
    expect((await handIn(agent.token)).status).toBe(201)
    const refused = await handIn(agent.token, { content: photograph('another') })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await handIn(agent.token)).status).toBe(201)
    const listing = await aListing(agent.id, { status: 'DRAFT' })
    expect((await uploaded(listing, agent.token)).status).toBe(429)
    const { documents } = await kycOf(agent.token)
    expect(documents).toHaveLength(1)
    const stored = await s3().send(
      new ListObjectsV2Command({
        Bucket: TEST_BUCKETS.documents,
        Prefix: documentObjectPrefix(UserId.parse(agent.id)),
      }),
    )
    expect(stored.KeyCount).toBe(1)
  })
})
