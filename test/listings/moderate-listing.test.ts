import { beforeAll, describe, expect, it } from 'vitest'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as countOwnListings } from '#functions/listings/count-own-listings'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as listQueuedListings } from '#functions/listings/list-queued-listings'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { openJournal } from '#lib/journal/journal.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { type Listing, ListingStatus, ModerationReason } from '#lib/listings/listing'
import { listings as listingStore } from '#lib/listings/listing-store.dynamo'
import type { Media } from '#lib/listings/media/media'
import { type Call, call } from '#test/support/call'
import { eventsAbout, eventsOf } from '#test/support/events'
import { anAgent, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { overtaken } from '#test/support/overtaken'
import { testTable } from '#test/support/test-table'

const TARGETS = ['PUBLISHED', 'REJECTED', 'SUSPENDED'] as const

let agent: GivenUser
let admin: string

beforeAll(async () => {
  agent = await aVerifiedAgent()
  admin = await consoleToken({ sub: 'grace' })
})

const moderate = (id: string, body: object, more: Call = {}) =>
  call(moderateListing, { params: { id }, token: admin, body, ...more })

const aListingThatIs = (status: ListingStatus, more: Partial<Listing> = {}, owner = agent) =>
  aListing(owner.id, {
    ...COMPLETE,
    media: [aMedia()],
    status,
    publishedAt: status === 'PUBLISHED' || status === 'SUSPENDED' ? timestamp(new Date(0)) : null,
    ...more,
  })

const movesOf = async (id: string) =>
  (
    await testTable().query({
      partition: `LISTING#${id}`,
      beginsWith: 'MOVE#',
    })
  ).items

/** Has an administrator decide who somebody is. */
const decided = ({ id: userId }: GivenUser, kycStatus: string) =>
  call(setKycStatus, { token: admin, body: { userId, kycStatus, note: 'Seen again' } })

/** A reason where one is needed. */
const decision = (status: string) => (status === 'PUBLISHED' ? { status } : { status, reasons: ['other'] })

const isPublic = async (id: string) => (await call(getListing, { params: { id } })).status === 200

const aRevision = { changes: { title: 'A better title' }, submittedAt: timestamp(new Date()) }

describe('200', () => {
  it('answers the listing as administrators see it, and it is live at once', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    const answer = await moderate(id, { status: 'PUBLISHED', note: 'Lovely', message: ' Welcome ' })
    expect(answer).toMatchObject({
      status: 200,
      body: { id, status: 'PUBLISHED', reasons: [], message: 'Welcome', note: 'Lovely', revision: null },
      headers: { etag: '"2-administrator"', 'cache-control': 'no-store' },
    })
    expect(answer.body.publishedAt).toMatch(/Z$/)
    expect(await movesOf(id)).toMatchObject([
      {
        from: 'PENDING_REVIEW',
        to: 'PUBLISHED',
        by: 'grace',
        message: 'Welcome',
        note: 'Lovely',
        reasons: [],
      },
    ])
    expect(await isPublic(id)).toBe(true)
  })

  it('keeps the day of first publication through suspension and return', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    const first = (await moderate(id, decision('PUBLISHED'))).body
    await moderate(id, decision('SUSPENDED'))
    expect(await isPublic(id)).toBe(false)
    expect((await moderate(id, decision('PUBLISHED'))).body).toMatchObject({ publishedAt: first.publishedAt })
    expect(await isPublic(id)).toBe(true)
  })

  it('shows the owner why, without the note, and customers neither', async () => {
    const id = await aListingThatIs('PUBLISHED')
    await moderate(id, {
      status: 'SUSPENDED',
      reasons: ['misleading'],
      message: 'Not so',
      note: 'A private note',
    })
    const seen = await call(getListing, { params: { id }, token: agent.token })
    expect(seen.body).toMatchObject({ status: 'SUSPENDED', reasons: ['misleading'], message: 'Not so' })
    expect(seen.text).not.toContain('private note')
    await moderate(id, { status: 'PUBLISHED', message: 'Fine again', note: 'A private note' })
    const { text } = await call(getListing, { params: { id } })
    expect(text).not.toMatch(/Fine again|private note|"reasons"|"revision"/)
  })

  it('replaces the reasons of the decision before', async () => {
    const id = await aListingThatIs('PUBLISHED', { reasons: ['duplicate'], message: 'Old', note: 'Old' })
    expect((await moderate(id, { status: 'SUSPENDED', reasons: ['other', 'other'] })).body).toMatchObject({
      reasons: ['other'],
      message: null,
      note: null,
    })
  })
})

describe('the status that a listing has already', () => {
  it.each(TARGETS)('%s records nothing, whatever words come with it', async (status) => {
    const id = await aListingThatIs(status, { reasons: ['other'], message: 'First' })
    const answer = await moderate(id, { status, reasons: ['duplicate'], message: 'Second' })
    expect(answer).toMatchObject({ status: 200, body: { status, reasons: ['other'], message: 'First' } })
    expect(answer.headers['etag']).toBe('"1-administrator"')
    expect(await movesOf(id)).toEqual([])
  })

  it('is a decision of its own where the service had suspended it for its owner’s lost eligibility', async () => {
    const id = await aListingThatIs('SUSPENDED', { reasons: ['owner_not_verified'] })
    expect((await moderate(id, decision('SUSPENDED'))).body).toMatchObject({
      status: 'SUSPENDED',
      reasons: ['other'],
    })
    expect(await movesOf(id)).toMatchObject([{ from: 'SUSPENDED', to: 'SUSPENDED', by: 'grace' }])
  })

  it('is announced there, so that the owner is told why, and counts as no other listing', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListingThatIs('SUSPENDED', { reasons: ['owner_not_verified'] }, owner)
    const counts = async () => (await call(countOwnListings, { token: owner.token })).body
    const before = await counts()
    await moderate(id, { status: 'SUSPENDED', reasons: ['wrong_price'] })
    expect(await counts()).toEqual(before)
    const [event, ...others] = await eventsAbout(id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'listing.status_changed',
      data: { from: 'SUSPENDED', to: 'SUSPENDED', agentId: owner.id },
    })
    const [mail] = await mailsOfEvent(event ?? {})
    expect(mail?.text).toContain('The price is wrong.')
    expect((await notificationsOf(owner.token)).items).toMatchObject([
      { type: 'listing.status_changed', subject: id },
    ])
  })
})

/** The contract's section 4, of what a moderator may ask for. */
const ALLOWED: Record<string, readonly string[]> = {
  DRAFT: ['PENDING_REVIEW', 'ARCHIVED'],
  PENDING_REVIEW: ['DRAFT', 'PUBLISHED', 'REJECTED', 'ARCHIVED'],
  PUBLISHED: ['SUSPENDED', 'ARCHIVED'],
  REJECTED: ['PENDING_REVIEW', 'ARCHIVED'],
  SUSPENDED: ['PUBLISHED', 'REJECTED', 'ARCHIVED'],
  ARCHIVED: [],
}

const MOVES = ListingStatus.options.flatMap((from) =>
  TARGETS.filter((to) => to !== from).map((to) => ({ from, to })),
)

describe('every move', () => {
  it.each(MOVES)('from $from to $to is as the contract has it', async ({ from, to }) => {
    const id = await aListingThatIs(from)
    const { status, body } = await moderate(id, decision(to))
    const allowed = ALLOWED[from] ?? []
    if (allowed.includes(to)) {
      expect({ status, body }).toMatchObject({ status: 200, body: { status: to } })
      expect(await movesOf(id)).toMatchObject([{ from, to }])
      expect(await listingOf(id)).toMatchObject({ status: to, version: 2 })
      return
    }
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        code: 'listing_transition_not_allowed',
        from,
        to,
        allowed,
        detail: `${from} cannot become ${to}`,
      },
    })
    expect(await movesOf(id)).toEqual([])
    expect(await listingOf(id)).toMatchObject({ status: from, version: 1 })
  })
})

describe('publishing', () => {
  it('needs an owner who is verified now', async () => {
    const unverified = await anAgent()
    const id = await aListingThatIs('PENDING_REVIEW', {}, unverified)
    expect(await moderate(id, decision('PUBLISHED'))).toMatchObject({
      status: 409,
      body: { code: 'owner_not_verified' },
    })
    expect(await listingOf(id)).toMatchObject({ status: 'PENDING_REVIEW' })
    expect(await moderate(id, decision('REJECTED'))).toMatchObject({ status: 200 })
  })

  it('sees a verification that has just ended', async () => {
    const owner = await anAgent()
    const body = {
      userId: owner.id,
      kycStatus: 'VERIFIED',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    }
    expect(await call(setKycStatus, { token: admin, body })).toMatchObject({ status: 200 })
    const id = await aListingThatIs('PENDING_REVIEW', {}, owner)
    const later = { deps: { now: () => new Date(Date.now() + 61_000) } }
    expect(await moderate(id, decision('PUBLISHED'), later)).toMatchObject({
      body: { code: 'owner_not_verified' },
    })
    expect(await moderate(id, decision('PUBLISHED'))).toMatchObject({ status: 200 })
  })

  it('takes it for no loss when the owner is verified once more at the same moment', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListingThatIs('PENDING_REVIEW', {}, owner)
    const answer = await moderate(id, decision('PUBLISHED'), {
      deps: { listings: overtaken(listingStore.make(), 'commit', () => decided(owner, 'VERIFIED')) },
    })
    expect(answer).toMatchObject({ status: 200, body: { status: 'PUBLISHED' } })
    expect(await movesOf(id)).toHaveLength(1)
  })

  it('sees a verification that is lost at the same moment', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListingThatIs('PENDING_REVIEW', {}, owner)
    const answer = await moderate(id, decision('PUBLISHED'), {
      deps: { listings: overtaken(listingStore.make(), 'commit', () => decided(owner, 'EXPIRED')) },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'owner_not_verified' } })
    expect(await listingOf(id)).toMatchObject({ status: 'PENDING_REVIEW', version: 1 })
  })

  it.each([
    ['nothing', []],
    ['a picture that is being processed', [aMedia({ status: 'PROCESSING' })]],
    ['a picture that was rejected', [aMedia({ status: 'REJECTED' })]],
    ['a floor plan', [aMedia({ kind: 'document' })]],
    ['a video', [aMedia({ kind: 'video' })]],
  ])('needs a picture that is ready: %s is not enough', async (_what, media) => {
    const id = await aListingThatIs('PENDING_REVIEW', { media })
    expect(await moderate(id, decision('PUBLISHED'))).toMatchObject({
      status: 409,
      body: { code: 'media_not_ready' },
    })
  })
})

describe('a revision that waits', () => {
  it('goes live when it is published, and is said to', async () => {
    const media = [aMedia({ caption: 'Old' }), aMedia({ isPending: true })]
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision, media })
    const answer = await moderate(id, decision('PUBLISHED'))
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'PUBLISHED', title: 'A better title', revision: null },
    })
    expect((await listingOf(id))?.media.map(({ isPending }) => isPending)).toEqual([false, false])
    expect(await movesOf(id)).toMatchObject([{ from: 'PUBLISHED', to: 'PUBLISHED', by: 'grace' }])
  })

  it('is dropped when it is rejected, with what it would have added, and the listing stays up', async () => {
    const media = [aMedia(), aMedia({ isPending: true })]
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision, media })
    expect(await moderate(id, decision('REJECTED'))).toMatchObject({
      status: 200,
      body: { status: 'PUBLISHED', title: 'House by the lagoon', revision: null, reasons: ['other'] },
    })
    expect((await listingOf(id))?.media).toHaveLength(1)
    expect(await isPublic(id)).toBe(true)
  })

  it('may be dropped whatever has become of the owner: nothing is published by that', async () => {
    const unverified = await anAgent()
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision }, unverified)
    expect(await moderate(id, decision('PUBLISHED'))).toMatchObject({ body: { code: 'owner_not_verified' } })
    expect(await moderate(id, decision('REJECTED'))).toMatchObject({ status: 200, body: { revision: null } })
  })

  it('needs a reason to be rejected', async () => {
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision })
    expect(await moderate(id, { status: 'REJECTED' })).toMatchObject({ status: 400 })
  })

  it('stays in the queue while the listing is suspended and restored', async () => {
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision })
    expect((await moderate(id, decision('SUSPENDED'))).body).toMatchObject({
      status: 'SUSPENDED',
      revision: aRevision,
    })
    expect((await moderate(id, decision('PUBLISHED'))).body).toMatchObject({
      status: 'PUBLISHED',
      title: 'House by the lagoon',
      revision: aRevision,
    })
  })

  it('is not published unseen when the owner changes it at the same moment', async () => {
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision })
    const answers = await Promise.all([
      moderate(id, decision('PUBLISHED'), { headers: { 'if-match': '"1"' } }),
      moderate(id, decision('REJECTED'), { headers: { 'if-match': '"1"' } }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await movesOf(id)).toHaveLength(1)
  })
})

describe('media whose bytes may still be to come', () => {
  const awaited = (more: Partial<Media> = {}) =>
    aMedia({ status: 'PROCESSING', uploadBefore: timestamp(new Date()), ...more })

  it.each([
    ['is published', 'PENDING_REVIEW', null],
    ['is published on its revision', 'PUBLISHED', aRevision],
    ['is restored', 'SUSPENDED', null],
  ] as const)(
    'wait in a revision when their listing %s, and those that are here do not',
    async (_how, status, revision) => {
      const media = [aMedia(), aMedia({ status: 'PROCESSING' }), awaited()]
      const id = await aListingThatIs(status, { revision, media })
      const answer = await moderate(id, decision('PUBLISHED'))
      expect(answer.body).toMatchObject({
        status: 'PUBLISHED',
        revision: { changes: { media: [media[2]?.id] } },
      })
      const listing = await listingOf(id)
      expect(listing?.media.map(({ isPending }) => isPending)).toEqual([false, false, true])
      expect(listing?.revision).toEqual({
        changes: {},
        submittedAt: revision?.submittedAt ?? listing?.updatedAt,
      })
    },
  )

  it.each([
    ['is published', 'PENDING_REVIEW', null],
    ['is published on its revision', 'PUBLISHED', aRevision],
  ] as const)('are announced as a revision when their listing %s', async (_how, status, revision) => {
    const id = await aListingThatIs(status, { revision, media: [aMedia(), awaited()] })
    await moderate(id, decision('PUBLISHED'))
    expect(await eventsOf(id, 'revision.submitted')).toMatchObject([{ data: { agentId: agent.id } }])
  })

  it('go on waiting when all else of the revision is published', async () => {
    const media = [aMedia(), aMedia({ isPending: true }), awaited({ isPending: true })]
    const id = await aListingThatIs('PUBLISHED', { revision: aRevision, media })
    expect((await moderate(id, decision('PUBLISHED'))).body).toMatchObject({
      title: 'A better title',
      revision: { changes: { media: [media[2]?.id] }, submittedAt: aRevision.submittedAt },
    })
    expect((await listingOf(id))?.media.map(({ isPending }) => isPending)).toEqual([false, false, true])
  })

  it('alone are nothing to publish: they wait, and nothing is recorded', async () => {
    const revision = { ...aRevision, changes: {} }
    const media = [aMedia(), awaited({ isPending: true })]
    const id = await aListingThatIs('PUBLISHED', { revision, media })
    expect(await moderate(id, { status: 'PUBLISHED', message: 'Again' })).toMatchObject({
      status: 200,
      headers: { etag: '"1-administrator"' },
      body: { message: null, revision: { changes: { media: [media[1]?.id] } } },
    })
    expect(await movesOf(id)).toEqual([])
  })

  it('alone may be rejected, and go', async () => {
    const media = [aMedia(), awaited({ isPending: true })]
    const id = await aListingThatIs('PUBLISHED', { revision: { ...aRevision, changes: {} }, media })
    expect((await moderate(id, decision('REJECTED'))).body).toMatchObject({ revision: null, media: [{}] })
    expect(await movesOf(id)).toMatchObject([{ from: 'PUBLISHED', to: 'PUBLISHED' }])
  })
})

describe('If-Match', () => {
  it.each([
    ['the version that is there', '"1"'],
    ['whatever is there', '*'],
    ['one of several', '"7", "1"'],
    ['one of several, without a space', '"7","1"'],
    ['the version, marked weak by a proxy', 'W/"1"'],
  ])('lets through %s', async (_what, tag) => {
    const id = await aListingThatIs('PENDING_REVIEW')
    expect(await moderate(id, decision('PUBLISHED'), { headers: { 'if-match': tag } })).toMatchObject({
      status: 200,
    })
  })

  it.each([
    ['an older version', '"0"'],
    ['a newer one', '"2"'],
    ['several others', '"0", "2"'],
    ['a tag without quotes', '1'],
    ['nothing', ''],
    ['something else', 'yes please'],
  ])('answers 412 to %s, and nothing has changed', async (_what, tag) => {
    const id = await aListingThatIs('PENDING_REVIEW')
    expect(await moderate(id, decision('PUBLISHED'), { headers: { 'if-match': tag } })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    })
    expect(await listingOf(id)).toMatchObject({ status: 'PENDING_REVIEW', version: 1 })
  })

  it('comes after the body and before the move', async () => {
    const id = await aListingThatIs('DRAFT')
    const stale = { headers: { 'if-match': '"9"' } }
    expect(await moderate(id, { status: 'NOPE' }, stale)).toMatchObject({ status: 400 })
    expect(await moderate(id, decision('PUBLISHED'), stale)).toMatchObject({ status: 412 })
    expect(await moderate(newId('listing'), decision('PUBLISHED'), stale)).toMatchObject({ status: 404 })
  })
})

describe('many at once', () => {
  it('decide one after another: each move begins where the one before it led', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    const wanted = ['PUBLISHED', 'SUSPENDED', 'PUBLISHED', 'SUSPENDED', 'REJECTED', 'PUBLISHED']
    const answers = await Promise.all(wanted.map((status) => moderate(id, decision(status))))
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual(
      [],
    )
    let before = 'PENDING_REVIEW'
    for (const { from, to } of await movesOf(id)) {
      expect(from).toBe(before)
      before = String(to)
    }
    const listing = await listingOf(id)
    expect(listing?.status).toBe(before)
    expect(listing?.version).toBe(1 + (await movesOf(id)).length)
  })
})

describe('400', () => {
  it.each([
    [{}],
    [{ status: 'DRAFT' }],
    [{ status: 'ARCHIVED' }],
    [{ status: 'PENDING_REVIEW' }],
    [{ status: 'published' }],
    [{ status: null }],
    [{ status: 'REJECTED' }],
    [{ status: 'SUSPENDED', reasons: [] }],
    [{ status: 'SUSPENDED', reasons: null, message: null }],
    [{ status: 'REJECTED', note: 'a note is not a reason' }],
    [{ status: 'REJECTED', reasons: ['owner_not_verified'] }],
    [{ status: 'REJECTED', reasons: ['too_ugly'] }],
    [{ status: 'REJECTED', reasons: 'other' }],
    [{ status: 'REJECTED', message: '   ' }],
    [{ status: 'REJECTED', message: 'x'.repeat(1_001) }],
    [{ status: 'REJECTED', reasons: ['other'], message: 'a\u0000b' }],
    [{ status: 'REJECTED', reasons: ['other'], note: 7 }],
  ])('refuses %j', async (body) => {
    const id = await aListingThatIs('PENDING_REVIEW')
    expect(await moderate(id, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await listingOf(id)).toMatchObject({ status: 'PENDING_REVIEW', version: 1 })
  })

  it('takes a message in the place of a reason, and every reason there is', async () => {
    expect(
      await moderate(await aListingThatIs('PENDING_REVIEW'), { status: 'REJECTED', message: 'No' }),
    ).toMatchObject({
      status: 200,
    })
    const reasons = ModerationReason.options
    expect(
      await moderate(await aListingThatIs('PENDING_REVIEW'), { status: 'REJECTED', reasons }),
    ).toMatchObject({
      body: { reasons },
    })
  })
})

describe('403 and 404', () => {
  it('answers the owner 403, and says nothing of the listing', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    const seen = async (id: string) => {
      const { status, body } = await moderate(id, {}, { token: agent.token })
      return { status, body: { ...body, requestId: '' } }
    }
    expect(await seen(id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await seen(newId('listing'))).toEqual(await seen(id))
  })

  it('answers 404 for a listing that is not there', async () => {
    expect(await moderate(newId('listing'), decision('PUBLISHED'))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

describe('the journal', () => {
  const entriesOf = async (subject: string) => {
    const { items } = await openJournal(testTable()).list(
      { subject, by: undefined, from: undefined, to: undefined },
      { limit: 10, after: undefined },
    )
    return items
  }

  it('records each decision once, without the words of the moderator', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    await moderate(id, { status: 'REJECTED', reasons: ['other'], message: 'Sorry', note: 'Seen before' })
    await moderate(id, { status: 'REJECTED', reasons: ['other'] })
    const entries = await entriesOf(id)
    expect(entries).toMatchObject([
      {
        by: 'grace',
        action: 'listing.moderated',
        details: { from: 'PENDING_REVIEW', to: 'REJECTED', revision: false, reasons: ['other'] },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Sorry|Seen before/)
  })

  it('records a look at the queue by its parameters and the listings answered', async () => {
    const id = await aListingThatIs('PENDING_REVIEW')
    await call(listQueuedListings, { token: admin, query: { agent: agent.id } })
    const [entry] = await entriesOf('listings')
    expect(entry).toMatchObject({
      by: 'grace',
      action: 'listings.viewed',
      details: { parameters: ['agent'] },
    })
    expect(entry?.details['ids']).toContain(id)
  })
})
