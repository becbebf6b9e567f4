import { beforeAll, describe, expect, it } from 'vitest'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as getListing } from '#functions/listings/get-listing'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { type Listing, ListingStatus } from '#lib/listings/listing'
import { listingKey } from '#lib/listings/listing.keys'
import { type Call, call } from '#test/support/call'
import { anAgent, aUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { aPayment, paid } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

let agent: GivenUser
let stranger: GivenUser
let admin: string

beforeAll(async () => {
  agent = await aVerifiedAgent()
  stranger = await aUser()
  admin = await consoleToken()
})

const get = (id: string, more: Call = {}) => call(getListing, { params: { id }, ...more })
const aListingThatIs = (status: ListingStatus, more: Partial<Listing> = {}) =>
  aListing(agent.id, {
    ...COMPLETE,
    media: [aMedia()],
    status,
    reasons: ['other'],
    message: 'm',
    note: 'n',
    ...more,
  })

/** The fields that only some may see. */
const hidden = (body: object) => ['reasons', 'message', 'note', 'revision'].filter((field) => field in body)

describe('a published listing', () => {
  it('is everyone’s, without what is between its owner and the moderators', async () => {
    const id = await aListingThatIs('PUBLISHED')
    for (const token of [undefined, stranger.token]) {
      const { status, body, headers } = await get(id, { token })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          view: 'public',
          id,
          status: 'PUBLISHED',
          agent: { userId: agent.id, displayName: 'Awa Immobilier', agency: 'Awa & Co' },
          title: 'House by the lagoon',
          price: { amount: 150_000, currency: 'XOF' },
          media: [{ status: 'READY', url: null }],
        },
      })
      expect(hidden(body)).toEqual([])
      expect(headers).toMatchObject({
        etag: '"1"',
        'cache-control': token === undefined ? 'public, max-age=30' : 'no-store',
        vary: 'Authorization, Accept-Encoding, Origin',
      })
    }
  })

  it('shows its owner the reasons, and administrators the note too', async () => {
    const id = await aListingThatIs('PUBLISHED')
    const [owner, administrator] = [await get(id, { token: agent.token }), await get(id, { token: admin })]
    expect(hidden(owner.body)).toEqual(['reasons', 'message', 'revision'])
    expect(hidden(administrator.body)).toEqual(['reasons', 'message', 'note', 'revision'])
    for (const { headers } of [owner, administrator]) expect(headers['cache-control']).toBe('no-store')
  })

  it('shows administrators a listing without a name once its agent’s account has ended', async () => {
    const agentId = newId('user')
    const id = await aListing(agentId, { ...COMPLETE, status: 'ARCHIVED' })
    expect((await get(id, { token: admin })).body).toMatchObject({
      agent: { userId: agentId, displayName: '', agency: null },
    })
  })

  it('has nothing of the record that is nobody’s business', async () => {
    const id = await aListingThatIs('PUBLISHED', {
      revision: { changes: { title: 'Secret' }, submittedAt: timestamp(new Date()) },
    })
    for (const token of [undefined, agent.token, admin]) {
      const { text } = await get(id, { token })
      expect(text).not.toMatch(
        /"(pk|sk|gsi\dpk|gsi\dsk|kind":"listing|version|agentId|indexedAs|uploadBefore|passwordHash|email)"/,
      )
    }
    expect((await get(id)).text).not.toContain('Secret')
  })

  it('is shown as the revision that waits to its owner only, beside what is live', async () => {
    const revision = { changes: { title: 'A better title' }, submittedAt: timestamp(new Date()) }
    const id = await aListingThatIs('PUBLISHED', { revision, media: [aMedia(), aMedia({ isPending: true })] })
    expect((await get(id, { token: agent.token })).body).toMatchObject({
      title: 'House by the lagoon',
      revision,
    })
    expect((await get(id)).body).toMatchObject({ media: [{}] })
  })

  it('tells its owner and administrators which media and captions wait, and customers nothing of them', async () => {
    const media = [
      aMedia({ isPending: true }),
      aMedia({ caption: 'Old', pendingCaption: 'New' }),
      aMedia({ caption: 'Shown', pendingCaption: '' }),
    ]
    const submittedAt = timestamp(new Date())
    const revision = { changes: { bedrooms: 4 }, submittedAt }
    const id = await aListingThatIs('PUBLISHED', { revision, media })
    const [added, renamed, bared] = media.map((item) => item.id)
    for (const token of [agent.token, admin]) {
      expect((await get(id, { token })).body).toMatchObject({
        revision: {
          changes: {
            bedrooms: 4,
            media: [added],
            captions: { [renamed ?? '']: 'New', [bared ?? '']: null },
          },
          submittedAt,
        },
        media: [{ id: added, position: 0 }, { caption: 'Old' }, { caption: 'Shown' }],
      })
    }
    const { body, text } = await get(id)
    expect(body).toMatchObject({ media: [{ id: renamed, position: 0 }, { position: 1 }] })
    expect(text).not.toContain(added)
    expect(text).not.toMatch(/New|isPending|pendingCaption|revision/)
  })

  it('shows customers only pictures that are ready, in order, at their places', async () => {
    const media = [
      aMedia({ status: 'REJECTED' }),
      aMedia({ caption: 'one' }),
      aMedia({ status: 'PROCESSING' }),
      aMedia({ caption: 'two' }),
    ]
    const id = await aListingThatIs('PUBLISHED', { media })
    expect((await get(id)).body).toMatchObject({
      media: [
        { caption: 'one', url: null, position: 0 },
        { caption: 'two', url: null, position: 1 },
      ],
    })
    expect((await get(id, { token: agent.token })).body).toMatchObject({ media: [{}, {}, {}, {}] })
  })

  it('leaves the public when its agent is no longer verified, and comes back with them', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListing(owner.id, { ...COMPLETE, media: [aMedia()] })
    expect(await get(id)).toMatchObject({ status: 200 })
    for (const [kycStatus, status] of [
      ['PENDING', 404],
      ['VERIFIED', 200],
      ['REJECTED', 404],
    ] as const) {
      await call(setKycStatus, { token: admin, body: { userId: owner.id, kycStatus } })
      expect((await get(id)).status, kycStatus).toBe(status)
      expect((await get(id, { token: owner.token })).status).toBe(200)
      expect((await get(id, { token: admin })).status).toBe(200)
    }
  })

  it('leaves the public the moment that its agent’s verification ends', async () => {
    const owner = await anAgent()
    const expiresAt = new Date(Date.now() + 60_000)
    await call(setKycStatus, { token: admin, body: { userId: owner.id, kycStatus: 'VERIFIED', expiresAt } })
    const id = await aListing(owner.id, { ...COMPLETE, media: [aMedia()] })
    expect(await get(id, { deps: { now: () => new Date(expiresAt.getTime() - 1) } })).toMatchObject({
      status: 200,
    })
    expect(await get(id, { deps: { now: () => expiresAt } })).toMatchObject({ status: 404 })
  })
})

describe('any other listing', () => {
  it.each(ListingStatus.options.filter((status) => status !== 'PUBLISHED'))(
    'that is %s is its owner’s and the administrators’, and to all others not there, to the last byte',
    async (status) => {
      const id = await aListingThatIs(status)
      const seen = async (id: string, token?: string) => {
        const answer = await get(id, { token })
        return {
          ...answer,
          text: '',
          body: { ...answer.body, requestId: '' },
          headers: { ...answer.headers, 'x-request-id': '' },
        }
      }
      for (const token of [undefined, stranger.token]) {
        const nothing = await seen(newId('listing'), token)
        expect(nothing).toMatchObject({ status: 404, body: { code: 'not_found' } })
        expect(await seen(id, token)).toEqual(nothing)
      }
      expect(await get(id, { token: agent.token })).toMatchObject({ status: 200, body: { id, status } })
      expect(await get(id, { token: admin })).toMatchObject({ status: 200, body: { note: 'n' } })
    },
  )
})

describe('304', () => {
  it.each([
    ['the version', '"1"'],
    ['the version, compared weakly', 'W/"1"'],
    ['one of several', '"0", "1"'],
    ['whatever is there', '*'],
  ])('answers a caller who has %s, without a body', async (_what, tag) => {
    const id = await aListingThatIs('PUBLISHED')
    const answer = await get(id, { headers: { 'if-none-match': tag } })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' })
    expect(answer.headers).toMatchObject({
      etag: '"1"',
      'cache-control': 'public, max-age=30',
      vary: 'Authorization, Accept-Encoding, Origin',
    })
    expect(answer.headers['content-type']).toBeUndefined()
  })

  it.each([['"0"'], ['"2"'], ['1'], [''], ['"11"'], ['nonsense']])('is not the answer to %j', async (tag) => {
    const id = await aListingThatIs('PUBLISHED')
    expect(await get(id, { headers: { 'if-none-match': tag } })).toMatchObject({ status: 200 })
  })

  it('never says that there is something to a caller who may not see it', async () => {
    const id = await aListingThatIs('DRAFT')
    expect(await get(id, { headers: { 'if-none-match': '*' } })).toMatchObject({ status: 404 })
  })
})

describe('404', () => {
  it.each([
    ['an unknown id', newId('listing')],
    ['an id of another kind', newId('user')],
    ['a word', 'nothing'],
    ['a path', '../auth/profile'],
    ['nothing', ''],
  ])('answers %s', async (_what, id) => {
    expect(await get(id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('401', () => {
  it('answers a token that is sent and is not good, though none is needed', async () => {
    const id = await aListingThatIs('PUBLISHED')
    expect(await get(id, { token: 'garbage' })).toMatchObject({ status: 401 })
  })
})

describe('a listing that somebody has paid on', () => {
  it('stays known to them by title, agent and status, and to nobody else', async () => {
    const id = await aListingThatIs('PUBLISHED')
    const [payer, browser] = await Promise.all([aUser(), aUser()])
    await paid(await aPayment(payer, { listingId: id, currency: 'XOF' }))
    await aPayment(browser, { listingId: id, currency: 'XOF' })
    expect((await get(id, { token: payer.token })).body).toHaveProperty('media')
    for (const status of ['SUSPENDED', 'ARCHIVED'] as const) {
      await testTable().commit([TABLE_WRITES.update(listingKey(id), { set: { status }, when: 'present' })])
      const { body, headers, ...answer } = await get(id, { token: payer.token })
      expect({ status: answer.status, body }).toEqual({
        status: 200,
        body: {
          view: 'payer',
          id,
          status,
          title: 'House by the lagoon',
          agent: { userId: agent.id, displayName: 'Awa Immobilier', agency: 'Awa & Co' },
        },
      })
      expect(headers).toMatchObject({ etag: '"1-payer"', 'cache-control': 'no-store' })
      for (const token of [undefined, browser.token, stranger.token])
        expect((await get(id, { token })).status).toBe(404)
    }
  })
})
