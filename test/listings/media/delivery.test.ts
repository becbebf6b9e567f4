import { beforeAll, describe, expect, it, vi } from 'vitest'
import { spec as followListings } from '#functions/jobs/follow-listings'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as setAvailability } from '#functions/listings/set-availability'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { spec as withdrawListing } from '#functions/listings/withdraw-listing'
import { spec as createUpload } from '#functions/media/create-upload'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as updateMedia } from '#functions/media/update-media'
import { spec as listReportedListings } from '#functions/reports/list-reported-listings'
import { spec as reportListing } from '#functions/reports/report-listing'
import { timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import * as signatures from '#lib/kernel/signatures'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { MediaView } from '#lib/listings/media/media'
import type { PublicName } from '#lib/media/store/media-links'
import { variantPublisher } from '#lib/media/store/variant-store.s3'
import { box } from '#test/support/bytes'
import { call } from '#test/support/call'
import { floorPlans } from '#test/support/files'
import { filmOf } from '#test/support/films'
import { aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { delivered, mediaOf, processed } from '#test/support/media'
import { overtaken } from '#test/support/overtaken'
import { jpeg, png, sample } from '#test/support/pictures'
import { deliveredTo, listingChangeOf } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let agent: GivenUser

beforeAll(async () => {
  agent = await aVerifiedAgent()
})

const moderate = async (id: string, status: string) => {
  const answer = await call(moderateListing, {
    params: { id },
    token: await consoleToken(),
    body: { status, reasons: status === 'PUBLISHED' ? [] : ['other'] },
  })
  expect(answer.status).toBe(200)
}

/** A listing under review, with pictures that are ready. */
async function reviewed(...files: Buffer[]): Promise<ListingId> {
  const id = await aListing(agent.id, { ...COMPLETE, media: [], status: 'PENDING_REVIEW', publishedAt: null })
  await processed(id, agent.token, files.length > 0 ? files : [jpeg()])
  return id
}

/** What a customer is shown, whoever asks. */
async function shown(id: string): Promise<MediaView[]> {
  const { status, body } = await call(getListing, { params: { id } })
  return status === 200 && 'media' in body ? body.media : []
}

/** What waits in the revision of a listing, as its owner is told. */
async function changesOf(id: string): Promise<unknown> {
  const { body } = await call(getListing, { params: { id }, token: agent.token })
  return 'revision' in body ? body.revision?.changes : undefined
}

const urlsOf = (media: readonly MediaView[]) => [
  ...new Set(media.flatMap(({ variants }) => variants.map(({ url }) => url))),
]
const statuses = (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await fetch(url)).status)).then((all) => [...new Set(all)])

/** Hands a change of a listing to the function that follows them, as the table's stream would. */
const follow = (before: Listing | undefined, after: Listing | undefined) =>
  deliveredTo(followListings, [listingChangeOf(before, after)])

describe('before a listing is public', () => {
  it('owner and administrators have private links, and nobody else has any', async () => {
    const id = await reviewed()
    for (const media of [await mediaOf(id), await mediaOf(id, agent.token)]) {
      expect(urlsOf(media).every((url) => url.includes('X-Amz-Expires=300'))).toBe(true)
      expect(await statuses([...urlsOf(media), media[0]?.url ?? ''])).toEqual([200])
    }
    expect((await call(getListing, { params: { id } })).status).toBe(404)
  })

  it('its owner has private links in what a withdrawal, a submission and an upload of the same bytes answer', async () => {
    const id = await reviewed()
    const asked = { params: { id }, token: agent.token }
    const sha256 = signatures.sha256(jpeg())
    const promise = { contentType: 'image/jpeg', bytes: jpeg().length, sha256 }
    const withdrawn = (await call(withdrawListing, asked)).body
    const submitted = (await call(submitListing, asked)).body
    const { media } = (await call(createUpload, { ...asked, body: promise })).body
    for (const shown of [withdrawn.media, submitted.media, [media]]) {
      expect(urlsOf(shown)).not.toEqual([])
      expect(urlsOf(shown).every((url) => url.includes('X-Amz-Expires=300'))).toBe(true)
      expect(await statuses([...urlsOf(shown), shown[0]?.url ?? ''])).toEqual([200])
    }
  })

  it('a picture that waits for review has private links among the reported listings', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    await call(reportListing, { params: { id }, ipAddress: '198.51.100.200', body: { reason: 'misleading' } })
    await processed(id, agent.token, [png()])
    const { body } = await call(listReportedListings, {
      token: await consoleToken(),
      query: { limit: '100' },
    })
    const { items } = body
    const waiting = items.find(({ listing }) => listing.id === id)?.listing.media.slice(1) ?? []
    expect(urlsOf(waiting)).not.toEqual([])
    expect(urlsOf(waiting).every((url) => url.includes('X-Amz-Expires=300'))).toBe(true)
    expect(await statuses([...urlsOf(waiting), waiting[0]?.url ?? ''])).toEqual([200])
  })

  it('a link without its signature opens nothing, at the store or in public', async () => {
    const id = await reviewed()
    const bare = urlsOf(await mediaOf(id)).map((url) => url.replace(/\?.*/, ''))
    expect(await statuses(bare)).toEqual([403])
    const { pathname } = new URL(bare[0] ?? '')
    const inPublic = pathname.replace(/^\/[^/]+\/variants/, `${process.env['MEDIA_URL']}/${agent.id}`)
    expect(await statuses([inPublic])).toEqual([403])
  })
})

describe('a listing whose pictures become public again or late', () => {
  it('has its pictures copied by the job where the function that published it ended before it copied them', async () => {
    const id = await reviewed()
    const before = await listingOf(id)
    if (!before) throw new Error('gone')
    const publishedAt = timestamp(new Date())
    const after = { ...before, status: 'PUBLISHED' as const, publishedAt, version: before.version + 1 }
    const listings = openListings(testTable())
    await listings.commit(listings.replace(before, after))
    const urls = urlsOf(await shown(id))
    expect(await statuses(urls)).toEqual([403])
    await follow(before, after)
    expect(await statuses(urls)).toEqual([200])
  })

  it('shows its pictures at once, though they left the public with it', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const urls = urlsOf(await shown(id))
    const set = async (state: string) => {
      const before = await listingOf(id)
      const answer = await call(setAvailability, { params: { id }, token: agent.token, body: { state } })
      expect(answer.status).toBe(200)
      return before
    }
    await follow(await set('PAUSED'), await listingOf(id))
    expect(await statuses(urls)).toEqual([403])
    await set('AVAILABLE')
    expect(await statuses(urls)).toEqual([200])
  })
})

describe('a listing that is published', () => {
  it('shows its pictures to everyone at once, at addresses that may be kept for five minutes', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const media = await shown(id)
    expect(media).toHaveLength(1)
    expect(media[0]).toMatchObject({ url: media[0]?.variants[5]?.url, placeholder: expect.any(String) })
    expect(media[0]?.variants[5]).toMatchObject({ name: 'full', contentType: 'image/jpeg' })
    const prefix = `${process.env['MEDIA_URL']}/${agent.id}/${id}/${media[0]?.id}/`
    for (const url of urlsOf(media)) {
      expect(url).toMatch(new RegExp(`^${prefix}[\\w-]{22}$`))
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('max-age=300')
      expect(response.headers.get('content-type')).toMatch(/^image\/(webp|jpeg)$/)
    }
    for (const name of ['isPending', 'pendingCaption', 'uploadBefore'])
      expect(media[0]).not.toHaveProperty(name)
  })

  it('shows the pages of its floor plans as pictures, and never the file itself', async () => {
    const id = await reviewed(jpeg(), floorPlans(2))
    await moderate(id, 'PUBLISHED')
    const plan = (await shown(id)).find(({ kind }) => kind === 'document')
    expect(plan).toMatchObject({
      status: 'READY',
      width: 1920,
      height: 96,
      variants: [
        { name: 'full', contentType: 'image/jpeg', page: 1, width: 1920, height: 96 },
        { name: 'full', contentType: 'image/jpeg', page: 2, width: 1920, height: 192 },
      ],
    })
    expect(plan?.url).toBe(plan?.variants[0]?.url)
    for (const { url } of plan?.variants ?? []) {
      expect(url.startsWith(`${process.env['MEDIA_URL']}/${agent.id}/${id}/`)).toBe(true)
      const response = await fetch(url)
      expect(response.headers.get('content-type')).toBe('image/jpeg')
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 3)
          .toString('hex'),
      ).toBe('ffd8ff')
    }
  })

  it('shows the pictures and the sound of its film where they were, and no byte that says where it was taken', async () => {
    const id = await reviewed()
    const POSITION = '+5.3261-004.0197/'
    const positions = ['meta', 'text', 'camm'].map((handler) => ({
      handler,
      chunks: [[POSITION], [POSITION]],
    }))
    // More than one part of the store's.
    const pictures = ['A', 'B', 'C'].map((letter) => letter.repeat(6 * 1024 * 1024))
    const film = filmOf(
      [
        { handler: 'vide', chunks: pictures.map((picture) => [picture]) },
        ...positions,
        { handler: 'soun', chunks: [['sound one'], ['sound two']] },
      ],
      { between: POSITION, more: [box('udta', box('\xa9xyz', Buffer.from(POSITION)))] },
    )
    const sha256 = signatures.sha256(film)
    const { body } = await call(createUpload, {
      params: { id },
      token: agent.token,
      body: { contentType: 'video/mp4', bytes: film.length, sha256 },
    })
    const { media, upload } = body
    if (!upload) throw new Error('The film is there already')
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: new Uint8Array(film) })
    expect(await delivered(id, media.id)).toMatchObject([{ outcome: 'READY' }])
    await moderate(id, 'PUBLISHED')
    const item = (await shown(id)).find(({ kind }) => kind === 'video')
    expect(item?.url).toMatch(
      new RegExp(`^${process.env['MEDIA_URL']}/${agent.id}/${id}/${media.id}/[\\w-]{22}$`),
    )
    const response = await fetch(item?.url ?? '')
    expect(response.headers.get('content-type')).toBe('video/mp4')
    const served = Buffer.from(await response.arrayBuffer())
    expect(served.length).toBe(film.length)
    expect(served.includes('5.3261')).toBe(false)
    for (const sample of [...pictures, 'sound one', 'sound two'])
      expect(served.indexOf(sample)).toBe(film.indexOf(sample))
    await moderate(id, 'SUSPENDED')
    await follow(await listingOf(id), await listingOf(id))
    expect((await fetch(item?.url ?? '')).status).toBe(403)
  })

  it('keeps its originals to itself', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const { pathname } = new URL((await mediaOf(id))[0]?.url ?? '')
    const key = pathname.split('/').slice(2).join('/')
    expect(
      await statuses([`${process.env['MEDIA_URL']}/${key}`, `${process.env['MEDIA_URL']}/../${key}`]),
    ).toEqual([403])
  })

  it.each(['SUSPENDED'])('takes them back when it is %s', async (status) => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const urls = urlsOf(await shown(id))
    await moderate(id, status)
    expect(await statuses(urls)).toEqual([403])
    expect(await statuses(urlsOf(await mediaOf(id)))).toEqual([200])
    await moderate(id, 'PUBLISHED')
    expect(await statuses(urls)).toEqual([200])
  })

  it('follows whatever else moves it, by the table’s stream, and however often that tells', async () => {
    const id = await aListing(agent.id, { ...COMPLETE, status: 'PENDING_REVIEW' })
    await processed(id, agent.token)
    const before = await listingOf(id)
    await moderate(id, 'PUBLISHED')
    const urls = urlsOf(await shown(id))
    await moderate(id, 'SUSPENDED')
    const after = await listingOf(id)
    // Word of the publication comes again, late: what counts is the listing as it is.
    for (let time = 0; time < 2; time += 1) {
      await expect(follow(before, { ...after, status: 'PUBLISHED' } as Listing)).resolves.toHaveLength(1)
    }
    expect(await statuses(urls)).toEqual([403])
  })
})

describe('a listing that changes while its pictures are made public', () => {
  /** Publishes a listing; something else happens before its first picture is made public. */
  const publishedWhile = async (id: ListingId, happens: () => Promise<unknown>) =>
    call(moderateListing, {
      params: { id },
      token: await consoleToken(),
      body: { status: 'PUBLISHED', reasons: [] },
      deps: { variants: overtaken(variantPublisher.make(), 'publish', happens) },
    })

  it('has them private again once both are done', async () => {
    const id = await reviewed()
    const suspend = vi.fn(() => moderate(id, 'SUSPENDED'))
    const published = await publishedWhile(id, suspend)
    expect(published).toMatchObject({ status: 200, body: { status: 'PUBLISHED' } })
    expect(suspend).toHaveBeenCalledOnce()
    expect(await variantPublisher.make().published(agent.id as UserId, id)).toEqual([])
  })

  it('has the others public when one of them is deleted meanwhile', async () => {
    const id = await reviewed(jpeg(), png())
    const deleted = (await listingOf(id))?.media.at(-1)
    const remove = async () => {
      const params = { id, mediaId: deleted?.id ?? '' }
      expect(await call(deleteMedia, { params, token: agent.token })).toMatchObject({ status: 204 })
    }
    expect(await publishedWhile(id, remove)).toMatchObject({ status: 200 })
    const media = await shown(id)
    expect(media).toHaveLength(1)
    expect(await statuses(urlsOf(media))).toEqual([200])
  })

  it('has none published by a run that begins after it was suspended', async () => {
    const id = await reviewed()
    const variants = variantPublisher.make()
    const copied: PublicName[] = []
    const listings = openListings(testTable())
    const { status } = await call(moderateListing, {
      params: { id },
      token: await consoleToken(),
      body: { status: 'PUBLISHED', reasons: [] },
      deps: {
        listings: {
          ...listings,
          commit: async (writes: Parameters<typeof listings.commit>[0]) => {
            await listings.commit(writes)
            await moderate(id, 'SUSPENDED')
          },
        },
        variants: {
          ...variants,
          publish: async (name: PublicName) => {
            copied.push(name)
            await variants.publish(name)
          },
        },
      },
    })
    expect(status).toBe(200)
    expect(copied).toEqual([])
  })
})

describe('bytes sent once their listing was decided', () => {
  type Expected = Awaited<ReturnType<typeof expected>>

  /** Names a file that is about to come. */
  async function expected(id: string, bytes: Buffer) {
    const sha256 = signatures.sha256(bytes)
    const body = { contentType: 'image/png', bytes: bytes.length, sha256 }
    const { media, upload } = (await call(createUpload, { params: { id }, token: agent.token, body })).body
    if (!upload) throw new Error('The file is there already')
    return { media, upload }
  }

  async function sent(id: string, { media, upload }: Expected, bytes: Buffer): Promise<void> {
    const answer = await fetch(upload.url, {
      method: 'PUT',
      headers: upload.headers,
      body: new Uint8Array(bytes),
    })
    expect(answer.status).toBe(200)
    expect(await delivered(id, media.id)).toMatchObject([{ outcome: 'READY' }])
  }

  it.each(['review', 'revision'])(
    'are private until a moderator has published them, who saw none in its %s',
    async (seenIn) => {
      const id = await reviewed()
      if (seenIn === 'revision') {
        await moderate(id, 'PUBLISHED')
        await processed(id, agent.token, [sample('avif')])
      }
      const promised = await expected(id, png())
      await moderate(id, 'PUBLISHED')
      const before = await shown(id)
      await sent(id, promised, png())

      expect(await shown(id)).toEqual(before)
      expect(await changesOf(id)).toEqual({ media: [promised.media.id] })
      const added = (await mediaOf(id)).find((media) => media.id === promised.media.id)
      expect(urlsOf([added as MediaView]).every((url) => url.includes('X-Amz-Signature'))).toBe(true)

      await moderate(id, 'PUBLISHED')
      expect((await shown(id)).map((media) => media.id)).toContain(promised.media.id)
      expect((await listingOf(id))?.revision).toBeNull()
    },
  )
})

describe('media added to a live listing', () => {
  it('wait in its revision, private until that is published', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const [added] = await processed(id, agent.token, [png()])
    expect(added?.status).toBe('READY')
    expect(await changesOf(id)).toEqual({ media: [added?.id] })
    expect(await shown(id)).toHaveLength(1)
    expect(urlsOf([added as MediaView]).every((url) => url.includes('X-Amz-Signature'))).toBe(true)

    await moderate(id, 'PUBLISHED')
    const media = await shown(id)
    expect(media.map((item) => item.id)).toContain(added?.id)
    expect(await statuses(urlsOf(media))).toEqual([200])
    expect((await listingOf(id))?.revision).toBeNull()
  })

  it('go, bytes and all, when the revision is rejected', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const [added] = await processed(id, agent.token, [png()])
    const links = [...urlsOf([added as MediaView]), added?.url ?? '']
    const before = await listingOf(id)
    await moderate(id, 'REJECTED')
    await follow(before, await listingOf(id))
    expect((await listingOf(id))?.media).toHaveLength(1)
    expect(await statuses(links)).toEqual([404])
  })

  it('captions changed on a live listing wait too, and are taken over with it', async () => {
    const id = await reviewed()
    await moderate(id, 'PUBLISHED')
    const [media] = await shown(id)
    const { status, body } = await call(updateMedia, {
      params: { id },
      token: agent.token,
      body: { captions: { [media?.id ?? '']: 'From the water' } },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ items: [{ caption: null }] })
    expect(await changesOf(id)).toEqual({ captions: { [media?.id ?? '']: 'From the water' } })
    expect((await shown(id))[0]?.caption).toBeNull()
    await moderate(id, 'PUBLISHED')
    expect((await shown(id))[0]?.caption).toBe('From the water')
  })
})
