import exifr from 'exifr'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as processMedia } from '#functions/jobs/process-media'
import { spec as processPdfs } from '#functions/jobs/process-pdfs'
import { MediaId, newId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import type { RenderedPicture } from '#lib/media/render/render-picture'
import { originalKey } from '#lib/media/store/media.keys'
import { originalStore } from '#lib/media/store/original-store.s3'
import { pdf } from '#test/support/files'
import { anAgent, type GivenUser } from '#test/support/given'
import { aListing, listingOf } from '#test/support/listings'
import { arrival, delivered, mediaOf, processed, uploaded } from '#test/support/media'
import { mediaCorpus, TAKEN_AT } from '#test/support/media-corpus'
import { jpeg } from '#test/support/pictures'
import { deliveredTo } from '#test/support/stream'

const CORPUS = await mediaCorpus()
/** The variants of a picture, which show no page. */
const SIX_SIZES = Array(6).fill(null)
const WIDTHS = { thumb: 320, card: 800, full: 1920 }

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const draft = () => aListing(agent.id, { status: 'DRAFT' })

const fetched = async (url: string) => {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

/** What a reader of metadata that is not ours finds, whatever a file calls it. */
async function metadataOf(bytes: Buffer): Promise<string[]> {
  const { exif, xmp, iptc, icc, orientation, comments } = await sharp(bytes).metadata()
  const found = Object.entries({
    exif,
    xmp,
    iptc,
    icc,
    comments,
    orientation: (orientation ?? 1) > 1 || undefined,
  })
  const marks = ['Exif\0\0', 'ns.adobe.com', 'Photoshop', 'GPSLatitude', '<html', '<?php', 'PK\x03\x04']
  return [
    ...found.flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...marks.filter((mark) => bytes.includes(mark, 0, 'latin1')),
  ]
}

describe('the corpus', () => {
  it('has at least sixty files', () => expect(CORPUS.length).toBeGreaterThanOrEqual(60))

  it.each(CORPUS.filter(({ becomes }) => becomes.startsWith('400')))(
    'refuses $name as it comes: $becomes',
    async ({ bytes, becomes }) => {
      const listing = await draft()
      const { status, body } = await uploaded(listing, agent.token, [jpeg(), bytes])
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'file[1]', code: becomes.slice('400 '.length) }],
      })
      expect(await mediaOf(listing)).toEqual([])
    },
  )

  it.each(CORPUS.filter(({ becomes }) => becomes.startsWith('REJECTED')))(
    'finds out $name: $becomes',
    async ({ bytes, becomes }) => {
      const [media] = await processed(await draft(), agent.token, [bytes])
      expect(`${media?.status} ${media?.reason}`).toBe(becomes)
      expect(media).toMatchObject({ variants: [], placeholder: null })
    },
  )

  const ready = CORPUS.filter(({ becomes }) => becomes === 'READY')

  it.each(ready.filter(({ isLocated }) => isLocated))(
    'holds $name, which the reader of metadata finds',
    async ({ bytes }) => {
      expect(await exifr.gps(bytes)).toMatchObject(TAKEN_AT)
    },
  )

  it.each(ready)('makes $name fit to be seen', async ({ bytes, size }) => {
    const [media] = await processed(await draft(), agent.token, [bytes])
    expect(media).toMatchObject({
      status: 'READY',
      reason: null,
      sha256: sha256(bytes),
      ...(size && { width: size[0], height: size[1] }),
    })
    expect(media?.variants.map(({ page }) => page)).toEqual(media?.kind === 'image' ? SIX_SIZES : [1])
    expect(Buffer.from(media?.placeholder ?? '', 'base64').length).toBeGreaterThan(4)
    for (const variant of media?.variants ?? []) {
      const { bytes: shown, headers } = await fetched(variant.url)
      expect(headers.get('content-type')).toBe(variant.contentType)
      const { width, height, format } = await sharp(shown).metadata()
      expect({ width, height, contentType: `image/${format}` }).toEqual({
        width: variant.width,
        height: variant.height,
        contentType: variant.contentType,
      })
      expect(width).toBeLessThanOrEqual(Math.min(WIDTHS[variant.name], media?.width ?? 0))
      expect(await exifr.gps(shown).catch(() => undefined)).toBeUndefined()
      expect(await metadataOf(shown)).toEqual([])
    }
  })
})

describe('a picture that is ready', () => {
  it('stands upright: what was stored at the top left is where its camera saw it', async () => {
    // The sample is red and green above, blue and yellow below; turned by 6 its left column comes to the top.
    const [media] = await processed(await draft(), agent.token, [jpeg({ orientation: 6 })])
    const { bytes } = await fetched(media?.variants[0]?.url ?? '')
    const pixel = async (left: number, top: number) => {
      const [red = 0, green = 0, blue = 0] = await sharp(bytes)
        .extract({ left, top, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer()
      return { isRed: red > 150 && green < 120, isBlue: blue > 150 && red < 120 }
    }
    expect(await pixel(3, 3)).toMatchObject({ isBlue: true })
    expect(await pixel(12, 3)).toMatchObject({ isRed: true })
  })

  it('has each size in two types, WebP first, and never larger than it was', async () => {
    const large = CORPUS.find(({ name }) => name === 'a JPEG larger than every variant')
    const [media] = await processed(await draft(), agent.token, [large?.bytes ?? Buffer.alloc(0)])
    expect(
      media?.variants.map(({ name, width, height, contentType }) => [name, width, height, contentType]),
    ).toEqual([
      ['thumb', 320, 213, 'image/webp'],
      ['thumb', 320, 213, 'image/jpeg'],
      ['card', 800, 533, 'image/webp'],
      ['card', 800, 533, 'image/jpeg'],
      ['full', 1920, 1280, 'image/webp'],
      ['full', 1920, 1280, 'image/jpeg'],
    ])
  })
})

describe('the arrival of an original', () => {
  const put = async () => {
    const listing = await draft()
    const { body } = await uploaded(listing, agent.token)
    return { listing, media: body.items[0]?.id ?? '' }
  }

  it('a second arrival changes nothing', async () => {
    const { listing, media } = await put()
    expect(await delivered(listing, media)).toMatchObject([{ outcome: 'READY' }])
    const once = await listingOf(listing)
    expect(await delivered(listing, media)).toMatchObject([{ outcome: 'READY' }])
    expect(await listingOf(listing)).toEqual(once)
  })

  it('ten arrivals at once make one change', async () => {
    const { listing, media } = await put()
    const before = (await listingOf(listing))?.version ?? 0
    await Promise.all(Array.from({ length: 10 }, () => delivered(listing, media)))
    expect(await listingOf(listing)).toMatchObject({ version: before + 1, media: [{ status: 'READY' }] })
  })

  it('is processed again by the next delivery if its processing failed', async () => {
    const { listing, media } = await put()
    const fails = { put: () => Promise.reject(new Error('the store is away')) }
    await expect(delivered(listing, media, { variants: fails })).rejects.toThrow('the store is away')
    expect(await listingOf(listing)).toMatchObject({ media: [{ status: 'PROCESSING' }] })
    expect(await delivered(listing, media)).toMatchObject([{ outcome: 'READY' }])
  })

  it.each([
    ['a picture', jpeg()],
    ['a PDF', pdf()],
  ])('of %s that is being decoded is not decoded a second time', async (_, file) => {
    const listing = await draft()
    const media = (await uploaded(listing, agent.token, [file])).body.items[0]?.id ?? ''
    const decoding = Promise.withResolvers<void>()
    const decoded = Promise.withResolvers<RenderedPicture>()
    const render = async () => {
      decoding.resolve()
      return decoded.promise
    }
    const first = delivered(listing, media, { render })
    await decoding.promise
    expect(await delivered(listing, media)).toMatchObject([{ outcome: 'claimed' }])
    decoded.resolve({ outcome: 'refused', reason: 'unreadable' })
    expect(await first).toMatchObject([{ outcome: 'REJECTED' }])
  })

  it('is decoded again after the time of a function that ended without an outcome', async () => {
    const { listing, media } = await put()
    const isDecoding = Promise.withResolvers<void>()
    const decoded = Promise.withResolvers<RenderedPicture>()
    const render = () => {
      isDecoding.resolve()
      return decoded.promise
    }
    const begun = Date.now()
    const inSeconds = (seconds: number) => ({ now: () => new Date(begun + seconds * 1000) })
    const first = delivered(listing, media, { render, ...inSeconds(0) })
    await isDecoding.promise
    // A function of the tests has a minute.
    expect(await delivered(listing, media, inSeconds(59))).toMatchObject([{ outcome: 'claimed' }])
    expect(await delivered(listing, media, inSeconds(61))).toMatchObject([{ outcome: 'READY' }])
    decoded.resolve({ outcome: 'refused', reason: 'unreadable' })
    expect(await first).toMatchObject([{ outcome: 'READY' }])
  })

  it.each([
    ['a picture', jpeg(), 'image', processMedia],
    ['a PDF', pdf(), 'document', processPdfs],
  ] as const)('of %s whose item is gone removes the bytes', async (_, content, kind, spec) => {
    const name = { kind, listingId: await draft(), mediaId: newId('media') }
    const originals = originalStore.make()
    await originals.put(name, content, { contentType: 'image/jpeg', sha256: sha256(content) })
    expect(await deliveredTo(spec, [arrival(originalKey(name))])).toMatchObject([[{ outcome: 'unnamed' }]])
    expect(await originals.size(name)).toBeUndefined()
  })

  it('under the key of another kind is not that of its item, and is removed', async () => {
    const { listing, media } = await put()
    const original = { listingId: listing, mediaId: MediaId.parse(media) }
    const name = { kind: 'document', ...original } as const
    const originals = originalStore.make()
    await originals.put(name, pdf(), {
      contentType: 'application/pdf',
      sha256: sha256(pdf()),
    })
    expect(await deliveredTo(processPdfs, [arrival(originalKey(name))])).toMatchObject([
      [{ outcome: 'unnamed' }],
    ])
    expect(await originals.size(name)).toBeUndefined()
    expect(await originals.size({ kind: 'image', ...original })).toBe(jpeg().length)
  })

  it('changes the ETag of its listing and is announced', async () => {
    const { listing, media } = await put()
    const before = await listingOf(listing)
    await delivered(listing, media)
    expect((await listingOf(listing))?.version).toBe((before?.version ?? 0) + 1)
  })
})
