import { beforeAll, describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as expireKyc } from '#functions/jobs/expire-kyc'
import { spec as getKyc } from '#functions/kyc/get-kyc'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as uploadKycDocument } from '#functions/kyc/upload-kyc-document'
import { spec as withdrawKyc } from '#functions/kyc/withdraw-kyc'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { UserId } from '#lib/kernel/id'
import { openKycStore } from '#lib/kyc/kyc-store.dynamo'
import { call } from '#test/support/call'
import { form, handIn, photograph } from '#test/support/documents'
import { aProvenUser, consoleToken, PASSWORD } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { filePart, textPart } from '#test/support/multipart'
import { overtakenBy } from '#test/support/overtaken'
import { testTable } from '#test/support/test-table'

let admin: string
beforeAll(async () => {
  admin = await consoleToken({ sub: 'ama' })
})

const withdraw = (token: string) => call(withdrawKyc, { token })
const kycOf = async (token: string) => (await call(getKyc, { token })).body
const look = (userId: string) => call(getKycReview, { token: admin, params: { userId } })
const decide = (userId: string, kycStatus: string) =>
  call(setKycStatus, { token: admin, body: { userId, kycStatus } })

describe('POST /auth/kyc/withdraw', () => {
  it('erases what no administrator was given a link to, ends the waiting and frees the name', async () => {
    const { id, token } = await aProvenUser()
    const seen = (await handIn(token)).body
    const { documents } = (await look(id)).body
    await handIn(token, { type: 'selfie' })
    expect(await withdraw(token)).toMatchObject({ status: 204, text: '' })
    expect(await kycOf(token)).toMatchObject({
      kycStatus: 'UNVERIFIED',
      waitingSince: null,
      nextStep: 'HAND_IN_DOCUMENTS',
      documents: [seen],
    })
    expect((await fetch(documents[0]?.url ?? '')).status).toBe(200)
    const store = openKycStore(testTable())
    expect(await store.listWithdrawn(UserId.parse(id))).toEqual([])
    expect(await call(changeProfile, { token, body: { name: 'Ama Koné' } })).toMatchObject({ status: 200 })
    expect((await handIn(token, { type: 'selfie' })).status).toBe(201)
    expect(await kycOf(token)).toMatchObject({ nextStep: 'WAIT' })
  })

  it('leaves a document that was seen, which waits again when it is handed in again', async () => {
    const { id, token } = await aProvenUser()
    const seen = (await handIn(token)).body
    await look(id)
    await withdraw(token)
    expect(await handIn(token)).toMatchObject({ status: 201, body: seen })
    expect(await kycOf(token)).toMatchObject({ nextStep: 'WAIT', documents: [seen] })
  })

  it('erases a document of before the expiry of the verification, which is no decision on it', async () => {
    const { id, token } = await aProvenUser()
    const ends = Date.now() + 5 * 60_000
    const expiresAt = new Date(ends).toISOString()
    await call(setKycStatus, { token: admin, body: { userId: id, kycStatus: 'VERIFIED', expiresAt } })
    await handIn(token)
    await runJob(expireKyc, { now: () => new Date(ends) })
    expect((await withdraw(token)).status).toBe(204)
    expect(await kycOf(token)).toMatchObject({ kycStatus: 'EXPIRED', documents: [], nextStep: 'RENEW' })
  })

  it('leaves an unseen document of before a decision, which waits again when it is handed in again', async () => {
    const { id, token } = await aProvenUser()
    const unseen = (await handIn(token)).body
    await decide(id, 'REJECTED')
    expect((await withdraw(token)).status).toBe(204)
    expect(await kycOf(token)).toMatchObject({ nextStep: 'HAND_IN_DOCUMENTS', documents: [unseen] })
    expect(await handIn(token)).toMatchObject({ status: 201, body: unseen })
    expect(await kycOf(token)).toMatchObject({ nextStep: 'WAIT', documents: [unseen] })
  })

  it('does nothing where nothing waits, and never changes the status', async () => {
    const { id, token } = await aProvenUser()
    expect(await withdraw(token)).toMatchObject({ status: 204 })
    await decide(id, 'VERIFIED')
    await handIn(token)
    expect(await withdraw(token)).toMatchObject({ status: 204 })
    expect(await kycOf(token)).toMatchObject({ kycStatus: 'VERIFIED', documents: [], nextStep: null })
  })

  it('is refused while an administrator reviews', async () => {
    const { id, token } = await aProvenUser()
    await decide(id, 'PENDING')
    expect(await withdraw(token)).toMatchObject({
      status: 409,
      body: { code: 'in_review', detail: 'An administrator is reviewing the identity' },
    })
  })

  it('keeps a document that an administrator is given a link to at the same moment', async () => {
    const { id, token } = await aProvenUser()
    await handIn(token)
    const [answer, review] = await Promise.all([withdraw(token), look(id)])
    const { documents } = (await look(id)).body
    expect([answer.status, review.status]).toEqual([204, 200])
    const shown = review.body.documents.length
    expect(documents).toHaveLength(shown)
  })
})

describe('a withdrawal during which something else happens', () => {
  /** Withdraws; before the documents are read for the first time, `happens` is done. */
  const withdrawWhile = (token: string, happens: () => Promise<unknown>) => {
    const store = openKycStore(testTable())
    let isFirst = true
    const listDocuments = async (userId: UserId) => {
      const documents = await store.listDocuments(userId)
      if (isFirst) await happens()
      isFirst = false
      return documents
    }
    return call(withdrawKyc, { token, deps: { kycStore: { ...store, listDocuments } } })
  }

  it('takes back a document that is handed in meanwhile too', async () => {
    const { token } = await aProvenUser()
    await handIn(token)
    expect(await withdrawWhile(token, () => handIn(token, { type: 'selfie' }))).toMatchObject({ status: 204 })
    expect(await kycOf(token)).toMatchObject({ waitingSince: null, documents: [] })
  })

  it('takes back a document that a decision overtook while it was handed in', async () => {
    const { id, token } = await aProvenUser()
    const handedIn = await call(uploadKycDocument, {
      token,
      ...form(filePart(photograph()), textPart('passport', 'type')),
      deps: overtakenBy(() => decide(id, 'REJECTED')),
    })
    expect(handedIn.status).toBe(201)
    expect(await kycOf(token)).toMatchObject({ waitingSince: handedIn.body.createdAt })
    expect(await withdraw(token)).toMatchObject({ status: 204 })
    expect(await kycOf(token)).toMatchObject({ waitingSince: null, documents: [] })
  })

  it('is refused once the account has ended', async () => {
    const { token } = await aProvenUser()
    await handIn(token)
    const ends = () => call(deleteAccount, { token, body: { password: PASSWORD } })
    expect(await withdrawWhile(token, ends)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})

describe('If-Match of a decision', () => {
  const decideSeen = (userId: string, etag: string | undefined, body: object = {}) =>
    call(setKycStatus, {
      token: admin,
      headers: { 'if-match': etag ?? '' },
      body: { userId, kycStatus: 'VERIFIED', ...body },
    })

  it('lets a decision pass that is about what was seen', async () => {
    const { id, token } = await aProvenUser()
    await handIn(token)
    const { etag } = (await look(id)).headers
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect((await look(id)).headers['etag']).toBe(etag)
    expect(await decideSeen(id, etag)).toMatchObject({ status: 200 })
    expect(await decideSeen(id, etag)).toMatchObject({ status: 200, body: { kycStatus: 'VERIFIED' } })
    expect(await decideSeen(id, etag, { note: 'Another' })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    })
    expect(await decideSeen(id, '*', { note: 'Another' })).toMatchObject({ status: 200 })
  })

  it('refuses one after a name changed or a document came', async () => {
    const { id, token } = await aProvenUser()
    const first = (await look(id)).headers['etag']
    await call(changeProfile, { token, body: { name: 'Sothebys International Realty' } })
    const { etag: present } = (await look(id)).headers
    expect(await decideSeen(id, first)).toMatchObject({ status: 412, headers: { etag: present } })
    const second = (await look(id)).headers['etag']
    await handIn(token)
    expect(await decideSeen(id, second)).toMatchObject({ status: 412 })
    expect(await decideSeen(id, (await look(id)).headers['etag'])).toMatchObject({ status: 200 })
  })

  it('refuses one whose person changes the name or stores a first agent profile at that moment', async () => {
    const displayName = 'Sothebys International Realty'
    const happenings = [
      (token: string) => call(changeProfile, { token, body: { name: displayName } }),
      (token: string) => call(putAgentProfile, { token, body: { displayName } }),
    ]
    for (const happens of happenings) {
      const { id, token } = await aProvenUser()
      const { etag } = (await look(id)).headers
      const decided = await call(setKycStatus, {
        token: admin,
        headers: { 'if-match': etag ?? '' },
        body: { userId: id, kycStatus: 'VERIFIED' },
        deps: overtakenBy(() => happens(token)),
      })
      expect(decided).toMatchObject({ status: 412, body: { code: 'version_conflict' } })
    }
  })
})
