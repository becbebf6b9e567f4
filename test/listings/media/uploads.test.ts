import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as expireUploads } from '#functions/jobs/expire-uploads'
import { spec as createUpload } from '#functions/media/create-upload'
import { timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { listings as listingStore } from '#lib/listings/listing-store.dynamo'
import { box, ftyp } from '#test/support/bytes'
import { call } from '#test/support/call'
import { html, mp4, pdf } from '#test/support/files'
import { anAgent, aProvenUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { delivered, mediaOf, uploaded } from '#test/support/media'
import { jpeg, jpegClaiming, png } from '#test/support/pictures'
import { moderated } from '#test/support/published'

const MEBIBYTE = 1024 * 1024

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const draft = () => aListing(agent.id, { status: 'DRAFT' })
type Upload = { url: string; method: string; headers: Record<string, string>; expiresAt: string }

const promise = (bytes: Buffer, contentType = 'image/jpeg', more = {}) => ({
  contentType,
  bytes: bytes.length,
  sha256: sha256(bytes),
  ...more,
})

const asked = (id: string, body: unknown, token: string | undefined = agent.token, deps = {}) =>
  call(createUpload, { params: { id }, token, body, deps })

const sent = ({ url, method, headers }: Upload, body: Buffer, more: Record<string, string> = {}) =>
  fetch(url, { method, headers: { ...headers, ...more }, body: new Uint8Array(body) })

/** Asks, sends and delivers; the item as it then is. */
async function through(bytes: Buffer, contentType: string, promised = promise(bytes, contentType)) {
  const id = await draft()
  const { media, upload } = (await asked(id, promised)).body
  expect((await sent(upload as Upload, bytes)).status).toBe(200)
  await delivered(id, media.id)
  return (await mediaOf(id, agent.token))[0]
}

const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })

describe('POST /listings/{id}/media/uploads', () => {
  it('201 names the item and where its bytes go, for fifteen minutes', async () => {
    const id = await draft()
    const { status, body, headers } = await asked(
      id,
      promise(jpeg(), 'image/jpeg', { caption: ' The lagoon ' }),
    )
    const { media, upload } = body
    expect(status).toBe(201)
    expect(media).toMatchObject({
      status: 'PROCESSING',
      kind: 'image',
      caption: 'The lagoon',
      position: 0,
      variants: [],
    })
    expect(upload?.method).toBe('PUT')
    expect(upload?.headers).toEqual({
      'content-type': 'image/jpeg',
      'if-none-match': '*',
      'x-amz-checksum-sha256': createHash('sha256').update(jpeg()).digest('base64'),
    })
    expect(new URL(upload?.url ?? '').searchParams.get('X-Amz-Expires')).toBe('900')
    expect(new URL(upload?.url ?? '').searchParams.get('X-Amz-SignedHeaders')).toBe(
      'content-length;content-type;host;if-none-match;x-amz-checksum-sha256',
    )
    expect(headers['etag']).toBe(`"${(await listingOf(id))?.version}-owner"`)
  })

  it.each([
    ['a picture', jpeg(), 'image/jpeg'],
    ['a PNG', png(), 'image/png'],
    ['a floor plan', pdf(), 'application/pdf'],
    ['a video', mp4(), 'video/mp4'],
    [
      'a video in pieces',
      Buffer.concat([ftyp('iso5'), box('moov'), box('moof'), box('mdat', Buffer.alloc(99))]),
      'video/mp4',
    ],
  ])('takes %s, and has it READY once it has arrived', async (_, bytes, contentType) => {
    expect(await through(bytes, contentType)).toMatchObject({
      status: 'READY',
      contentType,
      bytes: bytes.length,
    })
  })

  it.each([
    ['a page that says it is a picture', html(), 'image/jpeg', 'type_mismatch'],
    ['a PNG that says it is a JPEG', png(), 'image/jpeg', 'type_mismatch'],
    ['a picture too large to look at', jpegClaiming(65_000, 65_000), 'image/jpeg', 'too_many_pixels'],
    ['a picture that does not decode', jpegClaiming(2_000, 2_000), 'image/jpeg', 'unreadable'],
    ['a video cut short', mp4().subarray(0, -3), 'video/mp4', 'unreadable'],
    ['a video with something behind it', Buffer.concat([mp4(), html()]), 'video/mp4', 'unreadable'],
    [
      'a video without its index',
      Buffer.concat([ftyp('isom', 'mp42'), box('mdat')]),
      'video/mp4',
      'unreadable',
    ],
    ['a page that says it is a video', html(), 'video/mp4', 'type_mismatch'],
    ['half a floor plan', pdf().subarray(0, 100), 'application/pdf', 'unreadable'],
  ])('rejects %s', async (_, bytes, contentType, reason) => {
    expect(await through(bytes, contentType)).toMatchObject({ status: 'REJECTED', reason, variants: [] })
  })

  it('lets in no bytes but those it was promised: not others, not more, not of another type', async () => {
    const id = await draft()
    const { upload } = (await asked(id, promise(jpeg()))).body
    const link = upload as Upload
    const others = Buffer.from(jpeg()).fill(0, 20)
    expect((await sent(link, others)).status).toBe(400)
    expect(
      (await sent(link, Buffer.concat([jpeg(), jpeg()]), { 'content-length': `${2 * jpeg().length}` }))
        .status,
    ).toBe(403)
    expect((await sent(link, jpeg(), { 'content-type': 'text/html' })).status).toBe(403)
    const { 'x-amz-checksum-sha256': _checksum, ...unsigned } = link.headers
    expect(
      (await fetch(link.url, { method: 'PUT', headers: unsigned, body: new Uint8Array(others) })).status,
    ).toBe(403)
  })

  // Attack: each arrival was decoded anew, so that one link kept the decoder busy for fifteen minutes.
  it('a link takes the bytes once: a second PUT is a 412, whatever headers it leaves out', async () => {
    const id = await draft()
    const { media, upload } = (await asked(id, promise(jpeg()))).body
    const link = upload as Upload
    expect((await sent(link, jpeg())).status).toBe(200)
    const again = await sent(link, jpeg())
    expect([again.status, await again.text()]).toEqual([412, expect.stringContaining('PreconditionFailed')])
    const { 'if-none-match': _isNew, ...unconditional } = link.headers
    expect((await sent({ ...link, headers: unconditional }, jpeg())).status).toBe(403)
    expect(await delivered(id, media.id)).toMatchObject([{ outcome: 'READY' }])
  })

  // What arrives is checked whoever vouched for it: a store that is tricked must not decide what is shown.
  it.each([
    ['of another length', jpeg({ orientation: 3 }), 'size_mismatch'],
    ['of another hash', Buffer.from(jpeg()).fill(0, 200, 210), 'checksum_mismatch'],
  ])('rejects what is %s than was promised, even where the store took it', async (_, bytes, reason) => {
    const id = await draft()
    const { media } = (await asked(id, promise(jpeg()))).body
    const originals = {
      size: async () => bytes.length,
      read: async () =>
        (async function* () {
          yield bytes
        })(),
    }
    await delivered(id, media.id, { originals })
    expect((await mediaOf(id))[0]).toMatchObject({ status: 'REJECTED', reason })
  })

  it('200 for bytes that are there already, however they came', async () => {
    const id = await draft()
    await uploaded(id, agent.token, [jpeg()])
    const { status, body } = await asked(id, promise(jpeg()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ media: { id: (await mediaOf(id))[0]?.id }, upload: null })
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it('gives the same item another link while its bytes have not come', async () => {
    const id = await draft()
    const first = (await asked(id, promise(jpeg()))).body
    const second = await asked(id, promise(jpeg()))
    expect(second.status).toBe(201)
    expect(second.body.media.id).toBe(first.media.id)
    expect((await sent(second.body.upload as Upload, jpeg())).status).toBe(200)
    expect((await asked(id, promise(jpeg()))).status).toBe(200)
  })

  const MISTAKES = [
    ['another length', { bytes: jpeg().length + 1 }],
    ['another type', { contentType: 'image/png' }],
  ] as const

  it.each(MISTAKES)(
    'replaces an item that waits for %s, as its link takes no others',
    async (_, mistaken) => {
      const id = await draft()
      const first = (await asked(id, promise(jpeg(), 'image/jpeg', mistaken))).body
      const { status, body } = await asked(id, promise(jpeg()))
      expect(status).toBe(201)
      expect(body.media).toMatchObject({ bytes: jpeg().length, contentType: 'image/jpeg' })
      expect(body.media.id).not.toBe(first.media.id)
      expect((await sent(body.upload as Upload, jpeg())).status).toBe(200)
      await delivered(id, body.media.id)
      expect(await mediaOf(id)).toMatchObject([{ id: body.media.id, status: 'READY' }])
    },
  )

  it.each(MISTAKES)('lets a form replace an item that waits for %s', async (_, mistaken) => {
    const id = await draft()
    await asked(id, promise(jpeg(), 'image/jpeg', mistaken))
    const { status, body } = await uploaded(id, agent.token, [jpeg()])
    expect(status).toBe(201)
    for (const { id: mediaId } of body.items) await delivered(id, mediaId)
    expect(await mediaOf(id)).toMatchObject([{ id: body.items[0]?.id, status: 'READY' }])
  })

  it.each([
    ['a type that is not taken', { contentType: 'image/gif' }, 'contentType'],
    ['no bytes', { bytes: 0 }, 'bytes'],
    ['a picture of more than 25 MiB', { bytes: 25 * MEBIBYTE + 1 }, 'bytes'],
    [
      'a floor plan of more than 25 MiB',
      { contentType: 'application/pdf', bytes: 25 * MEBIBYTE + 1 },
      'bytes',
    ],
    ['a video of more than 500 MiB', { contentType: 'video/mp4', bytes: 500 * MEBIBYTE + 1 }, 'bytes'],
    ['half a byte', { bytes: 1.5 }, 'bytes'],
    ['a hash that is none', { sha256: 'abc' }, 'sha256'],
    ['a caption that is a book', { caption: 'a'.repeat(301) }, 'caption'],
  ])('400 for %s', async (_, wrong, path) => {
    const { status, body } = await asked(await draft(), { ...promise(jpeg()), ...wrong })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })

  it('201 at the very limits', async () => {
    const limits = { ...promise(jpeg()), bytes: 25 * MEBIBYTE }
    expect((await asked(await draft(), limits)).status).toBe(201)
    expect(
      (await asked(await draft(), { ...limits, contentType: 'video/mp4', bytes: 500 * MEBIBYTE })).status,
    ).toBe(201)
  })

  it('401, 404 and 403 for whoever it does not belong to; an administrator may', async () => {
    const id = await draft()
    const live = await aListing((await anAgent()).id)
    const stranger = await aProvenUser()
    expect((await call(createUpload, { params: { id }, body: promise(jpeg()) })).status).toBe(401)
    expect((await asked(id, promise(jpeg()), stranger.token)).status).toBe(404)
    expect((await asked(live, promise(jpeg()), stranger.token)).status).toBe(404)
    expect((await asked(id, promise(jpeg()), await consoleToken())).status).toBe(201)
  })

  it('409 for an archived listing, and for the forty-first item, however many ask at once', async () => {
    const archived = await aListing(agent.id, { status: 'ARCHIVED' })
    expect((await asked(archived, promise(jpeg()))).body).toMatchObject({
      code: 'listing_transition_not_allowed',
    })

    const id = await draft()
    const ask = (number: number) => asked(id, { ...promise(jpeg()), sha256: `${number}`.padStart(64, '0') })
    for (let number = 0; number < 38; number += 1) await ask(number)
    const answers = await Promise.all([100, 101, 102, 103].map(ask))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(await mediaOf(id)).toHaveLength(40)
  })
})

describe('an upload that never comes', () => {
  const sweep = (hours: number) => runJob(expireUploads, later(hours)) as Promise<Record<string, number>>

  it('is rejected after an hour, no longer counted, and may be asked for again', async () => {
    const id = await draft()
    const first = (await asked(id, promise(jpeg()))).body
    await sweep(0.9)
    expect((await mediaOf(id))[0]?.status).toBe('PROCESSING')
    await sweep(1.1)
    expect(await mediaOf(id)).toMatchObject([{ status: 'REJECTED', reason: 'upload_expired' }])

    const second = await asked(id, promise(jpeg()))
    expect(second.status).toBe(201)
    expect(second.body.media.id).not.toBe(first.media.id)
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it('may be asked for again after its hour, although the job has not rejected it yet', async () => {
    const uploadBefore = timestamp(new Date())
    const waiting = aMedia({ status: 'PROCESSING', sha256: sha256(jpeg()), uploadBefore })
    const id = await aListing(agent.id, { status: 'DRAFT', media: [waiting] })
    const { status, body } = await asked(id, promise(jpeg()))
    expect(status).toBe(201)
    expect(body.media).toMatchObject({ status: 'PROCESSING' })
    expect(body.media.id).not.toBe(waiting.id)
    expect(await mediaOf(id)).toHaveLength(1)
    expect((await sent(body.upload as Upload, jpeg())).status).toBe(200)
    await delivered(id, body.media.id)
    expect(await mediaOf(id)).toMatchObject([{ id: body.media.id, status: 'READY' }])
  })

  it('leaves no revision behind on a live listing, and no moderator waits for it', async () => {
    const id = await aListing(agent.id, { status: 'PUBLISHED', media: [aMedia()] })
    const { media } = (await asked(id, promise(jpeg()))).body
    expect((await listingOf(id))?.revision).not.toBeNull()
    await sweep(1.1)
    expect(await listingOf(id)).toMatchObject({
      revision: null,
      media: [{}, { id: media.id, reason: 'upload_expired' }],
    })
  })

  it('leaves none on one that was published meanwhile either', async () => {
    const owner = await aVerifiedAgent()
    const id = await aListing(owner.id, { ...COMPLETE, status: 'PENDING_REVIEW', media: [aMedia()] })
    const { media } = (await asked(id, promise(jpeg()), owner.token)).body
    await moderated(id, { status: 'PUBLISHED' })
    expect((await listingOf(id))?.revision).not.toBeNull()
    await sweep(1.1)
    expect(await listingOf(id)).toMatchObject({
      revision: null,
      media: [{}, { id: media.id, reason: 'upload_expired' }],
    })
  })

  it('an upload whose arrival was lost is announced again, and processed', async () => {
    const id = await draft()
    const { media, upload } = (await asked(id, promise(jpeg()))).body
    await sent(upload as Upload, jpeg())
    expect((await sweep(0.5))['announced']).toBeGreaterThan(0)
    expect(await delivered(id, media.id)).toMatchObject([{ outcome: 'READY' }])
    expect(await sweep(2)).toMatchObject({ announced: 0 })
    expect((await mediaOf(id))[0]?.status).toBe('READY')
  })

  it('an upload that arrived in the last moment of its hour is processed, and rejected only after another hour', async () => {
    const [processed, failed] = [await draft(), await draft()]
    const items = []
    for (const id of [processed, failed]) {
      const { media, upload } = (await asked(id, promise(jpeg()))).body
      await sent(upload as Upload, jpeg())
      items.push(media)
    }
    await sweep(1.1)
    expect(await delivered(processed, items[0]?.id ?? '')).toMatchObject([{ outcome: 'READY' }])
    await sweep(2.1)
    expect(await mediaOf(processed)).toMatchObject([{ status: 'READY' }])
    expect(await mediaOf(failed)).toMatchObject([{ status: 'REJECTED', reason: 'processing_failed' }])
  })

  it('is rejected although the job fails at an earlier one', async () => {
    const [broken, id] = [await draft(), await draft()]
    for (const one of [broken, id]) await asked(one, promise(jpeg()))
    const get = async (one: ListingId) => {
      if (one === broken) throw new Error('This record cannot be read')
      return store.get(one)
    }
    const store = listingStore.make()
    const run = runJob(expireUploads, { ...later(1.1), listings: { ...store, get } })
    await expect(run).rejects.toThrow('This record cannot be read')
    expect(await mediaOf(id)).toMatchObject([{ status: 'REJECTED' }])
    await sweep(1.1)
    expect(await mediaOf(broken)).toMatchObject([{ status: 'REJECTED' }])
  })

  it('whose processing fails for an hour is rejected', async () => {
    const id = await draft()
    await uploaded(id, agent.token)
    await sweep(1.5)
    expect((await mediaOf(id))[0]).toMatchObject({ status: 'REJECTED', reason: 'processing_failed' })
  })
})
