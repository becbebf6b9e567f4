import { beforeAll, describe, expect, it } from 'vitest'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { PART_MAX_BYTES } from '#lib/http/input/multipart'
import { type ListingId, newId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { ListingStatus } from '#lib/listings/listing'
import { type Answer, type BodyOf, type Call, call, problemOf } from '#test/support/call'
import { gzip, html, pdf, svg, zip } from '#test/support/files'
import { anAgent, aProvenUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { uploaded } from '#test/support/media'
import { filePart, multipartBody, type PartLines, textPart } from '#test/support/multipart'
import { jpeg, jpegClaiming, png, sample } from '#test/support/pictures'

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const aDraft = (more: Parameters<typeof aListing>[1] = {}, owner = agent) =>
  aListing(owner.id, { ...COMPLETE, status: 'DRAFT', publishedAt: null, ...more })

const upload = (id: string, parts: PartLines[], more: Call = {}) =>
  call(uploadMedia, {
    params: { id },
    token: agent.token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    rawBody: multipartBody('b', parts),
    ...more,
  })

const itemsOf = ({ body }: Answer<BodyOf<typeof uploadMedia>>) => body.items
const faultsOf = (answer: Answer) =>
  problemOf(answer, 'validation_failed').errors.map(({ path, code }) => `${path} ${code}`)
const mediaOf = async (id: ListingId) => (await listingOf(id))?.media ?? []
/** A picture that differs from every other with another number. */
const picture = (number: number): Buffer => Buffer.concat([jpeg(), Buffer.from(`${number}`)])

describe('201', () => {
  it('answers the items in the order of their parts, each with a private link to the very bytes', async () => {
    const id = await aDraft()
    const files = [jpeg(), sample('png'), sample('lossyWebp'), sample('avif'), pdf()]
    const answer = await uploaded(id, agent.token, files)
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({ etag: '"2-owner"', 'cache-control': 'no-store' })
    expect(itemsOf(answer)).toEqual(
      [
        ['image', 'image/jpeg'],
        ['image', 'image/png'],
        ['image', 'image/webp'],
        ['image', 'image/avif'],
        ['document', 'application/pdf'],
      ].map(([kind, contentType], position) => ({
        id: expect.stringMatching(/^med_/),
        kind,
        status: expect.stringMatching(/^(PROCESSING|READY)$/),
        reason: null,
        contentType,
        bytes: files[position]?.length,
        sha256: sha256(files[position] ?? Buffer.alloc(0)),
        width: null,
        height: null,
        caption: null,
        position,
        url: expect.stringMatching(/^http.*X-Amz-Signature=/),
        variants: [],
        placeholder: null,
        createdAt: expect.stringMatching(/Z$/),
      })),
    )
    for (const [index, { url }] of itemsOf(answer).entries()) {
      const response = await fetch(url ?? '')
      expect(response.status).toBe(200)
      expect(response.headers.get('content-disposition')).toBe('attachment')
      expect(Buffer.from(await response.arrayBuffer())).toEqual(files[index])
    }
  })

  it('gives each file the caption at its place', async () => {
    const id = await aDraft()
    const parts = [
      filePart(picture(1)),
      textPart('  Kitchen 🏠 '),
      filePart(picture(2)),
      textPart(''),
      filePart(picture(3)),
    ]
    expect(itemsOf(await upload(id, parts)).map(({ caption }) => caption)).toEqual(['Kitchen 🏠', null, null])
  })

  it('believes the bytes, not what the part says of itself', async () => {
    const id = await aDraft()
    const part = filePart(sample('png'), { filename: '../../etc/passwd\u0000.exe', type: 'text/html' })
    const answer = await upload(id, [part])
    expect(itemsOf(answer)).toMatchObject([{ contentType: 'image/png' }])
    expect(answer.text).not.toMatch(/passwd|html/)
  })

  it('ignores parts of other names, and forges nothing with them', async () => {
    const id = await aDraft()
    const parts = [
      textPart('READY', 'status'),
      textPart('med_1', 'id'),
      filePart(jpeg()),
      filePart(html(), { name: 'other' }),
    ]
    expect(itemsOf(await upload(id, parts))).toHaveLength(1)
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it('takes ten files at once and forty in all', async () => {
    const id = await aDraft()
    for (let batch = 0; batch < 4; batch += 1) {
      const files = Array.from({ length: 10 }, (_, index) => picture(batch * 10 + index))
      expect(await uploaded(id, agent.token, files)).toMatchObject({ status: 201 })
    }
    const media = await mediaOf(id)
    expect(media).toHaveLength(40)
    expect(media.map(({ sha256 }) => sha256)).toEqual(
      Array.from({ length: 40 }, (_, index) => sha256(picture(index))),
    )
  })

  it('keeps all of eight files that come one by one at the same moment', async () => {
    const id = await aDraft()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => uploaded(id, agent.token, [picture(index)])),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const media = await mediaOf(id)
    expect(media.map(({ sha256 }) => sha256).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => sha256(picture(index))).sort(),
    )
    expect(await listingOf(id)).toMatchObject({ version: 9 })
  })

  it('may be an administrator’s doing', async () => {
    const id = await aDraft()
    expect(await uploaded(id, await consoleToken())).toMatchObject({ status: 201 })
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it.each(ListingStatus.options.filter((status) => status !== 'ARCHIVED'))(
    'takes media for a %s listing',
    async (status) => {
      const id = await aDraft({ status, media: [aMedia()] })
      const isLive = status === 'PUBLISHED' || status === 'SUSPENDED'
      expect(await uploaded(id, agent.token)).toMatchObject({
        status: 201,
        body: { items: [{ position: 1 }] },
      })
      const listing = await listingOf(id)
      expect(listing?.revision === null).toBe(!isLive)
      expect(listing?.status).toBe(status)
    },
  )
})

describe('200', () => {
  it('answers bytes that are there already with the item that they are', async () => {
    const id = await aDraft()
    const [first] = itemsOf(await uploaded(id, agent.token, [jpeg()], ['Kitchen']))
    const again = await uploaded(id, agent.token, [jpeg()], ['Bathroom'])
    expect(again.status).toBe(200)
    expect(again.headers['etag']).toBe('"2-owner"')
    expect(itemsOf(again)).toMatchObject([{ id: first?.id, caption: 'Kitchen', position: 0 }])
    expect(await listingOf(id)).toMatchObject({ version: 2 })
  })

  it('knows an item among new ones, and the same file twice in one form', async () => {
    const id = await aDraft()
    const [known] = itemsOf(await uploaded(id, agent.token, [picture(1)]))
    const answer = await uploaded(
      id,
      agent.token,
      [picture(2), picture(1), picture(2)],
      ['first', 'second', 'third'],
    )
    expect(answer.status).toBe(201)
    const [one, two, three] = itemsOf(answer)
    expect(two?.id).toBe(known?.id)
    expect(three).toEqual(one)
    expect(await mediaOf(id)).toMatchObject([{ id: known?.id }, { id: one?.id, caption: 'first' }])
  })

  it('makes one item of the same bytes sent eight times at once', async () => {
    const id = await aDraft()
    const answers = await Promise.all(Array.from({ length: 8 }, () => uploaded(id, agent.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
    expect(new Set(answers.flatMap(itemsOf).map(({ id }) => id)).size).toBe(1)
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it('lets a full listing be asked for what it has', async () => {
    const media = [...Array.from({ length: 39 }, () => aMedia()), aMedia({ sha256: sha256(jpeg()) })]
    expect(await uploaded(await aDraft({ media }), agent.token)).toMatchObject({ status: 200 })
  })
})

describe('409', () => {
  it('answers the forty-first item, all or nothing', async () => {
    const id = await aDraft({ media: Array.from({ length: 39 }, () => aMedia()) })
    expect(await uploaded(id, agent.token, [picture(1), picture(2)])).toMatchObject({
      status: 409,
      body: { code: 'media_limit_reached', detail: 'A listing may have 40 media' },
    })
    expect(await listingOf(id)).toMatchObject({ version: 1 })
    expect(await uploaded(id, agent.token, [picture(1)])).toMatchObject({ status: 201 })
    expect(await uploaded(id, agent.token, [picture(2)])).toMatchObject({ status: 409 })
  })

  it('counts to forty even when more come at once', async () => {
    const id = await aDraft({ media: Array.from({ length: 37 }, () => aMedia()) })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => uploaded(id, agent.token, [picture(index)])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
    expect(await mediaOf(id)).toHaveLength(40)
  })

  it('answers an archived listing, which does not change', async () => {
    const id = await aDraft({ status: 'ARCHIVED' })
    expect(await uploaded(id, agent.token)).toMatchObject({
      status: 409,
      body: { code: 'listing_transition_not_allowed', allowed: [] },
    })
    expect(await mediaOf(id)).toEqual([])
  })
})

describe('400', () => {
  it.each([
    ['a\u0007b', 'must not contain control characters'],
    ['x'.repeat(301), 'must have at most 300 characters'],
  ])('says what is wrong with the caption %j', async (caption, message) => {
    const answer = await upload(await aDraft(), [filePart(jpeg()), textPart(caption)])
    expect(answer).toMatchObject({ body: { errors: [{ path: 'caption[0]', message }] } })
  })

  it.each([
    ['nothing', [], ['file required']],
    ['a caption alone', [textPart('Kitchen')], ['file required', 'caption too_many']],
    ['more captions than files', [filePart(jpeg()), textPart('a'), textPart('b')], ['caption too_many']],
    ['an empty file', [filePart('')], ['file[0] empty']],
    ['a text', [filePart('hello')], ['file[0] unsupported_type']],
    ['a web page', [filePart(html(), { type: 'image/png' })], ['file[0] unsupported_type']],
    ['a picture that is a program', [filePart(svg())], ['file[0] unsupported_type']],
    ['a GIF', [filePart(sample('gif'))], ['file[0] unsupported_type']],
    ['an archive', [filePart(zip())], ['file[0] unsupported_type']],
    ['a bomb', [filePart(gzip(10_000_000))], ['file[0] unsupported_type']],
    ['half a PDF', [filePart(pdf().subarray(0, 100))], ['file[0] unreadable']],
    ['half a header', [filePart(jpeg().subarray(0, 20))], ['file[0] unreadable']],
    ['too many pixels', [filePart(jpegClaiming(10_001, 10_000))], ['file[0] too_many_pixels']],
    ['no pixels', [filePart(jpegClaiming(0, 10))], ['file[0] unreadable']],
    [
      'a caption of 301 characters',
      [filePart(jpeg()), textPart('x'.repeat(301))],
      ['caption[0] invalid_value'],
    ],
    [
      'a caption with a control character',
      [filePart(jpeg()), textPart('a\u0007b')],
      ['caption[0] invalid_value'],
    ],
    [
      'a caption that is not UTF-8',
      [filePart(jpeg()), textPart(Buffer.from([0xff, 0xfe]))],
      ['caption[0] invalid_value'],
    ],
    [
      'everything at once',
      [filePart('x'), textPart('y'.repeat(301)), filePart(jpeg()), filePart('')],
      ['caption[0] invalid_value', 'file[0] unsupported_type', 'file[2] empty'],
    ],
    ['eleven files', Array.from({ length: 11 }, (_, index) => filePart(picture(index))), ['file too_big']],
  ])('refuses %s, naming the part, and keeps nothing', async (_what, parts, faults) => {
    const id = await aDraft()
    const answer = await upload(id, parts.length > 0 ? parts : [textPart('x', 'other')])
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(faultsOf(answer).sort()).toEqual([...faults].sort())
    expect(await listingOf(id)).toMatchObject({ version: 1, media: [] })
  })

  it('keeps none of nine good files for the sake of one bad one', async () => {
    const id = await aDraft()
    const files = [...Array.from({ length: 9 }, (_, index) => picture(index)), html()]
    expect(faultsOf(await uploaded(id, agent.token, files))).toEqual(['file[9] unsupported_type'])
    expect(await listingOf(id)).toMatchObject({ version: 1, media: [] })
  })

  it.each([
    ['no body', { rawBody: undefined }],
    ['an empty body', { rawBody: '' }],
    ['no boundary', { headers: { 'content-type': 'multipart/form-data' } }],
    ['another boundary', { headers: { 'content-type': 'multipart/form-data; boundary=other' } }],
    ['a body cut short', { rawBody: multipartBody('b', [filePart(jpeg())]).subarray(0, 200) }],
    ['text', { rawBody: 'hello' }],
  ])('answers malformed_multipart to %s', async (_what, more) => {
    const id = await aDraft()
    const { rawBody, ...rest } = { rawBody: multipartBody('b', [filePart(jpeg())]), ...more }
    const answer = await call(uploadMedia, {
      params: { id },
      token: agent.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      ...(rawBody !== undefined && { rawBody }),
      ...rest,
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } })
    expect(await mediaOf(id)).toEqual([])
  })
})

describe('413', () => {
  it('answers a file over 4 MiB, naming it and the way for larger ones, and keeps nothing', async () => {
    const id = await aDraft()
    const answer = await uploaded(id, agent.token, [jpeg(), pdf({ bytes: PART_MAX_BYTES })])
    expect(answer).toMatchObject({
      status: 413,
      body: {
        code: 'payload_too_large',
        errors: [{ path: 'file[1]' }],
        detail: expect.stringContaining('POST /listings/{id}/media/uploads'),
      },
    })
    expect(await mediaOf(id)).toEqual([])
  })

  it('answers a form over 4.25 MiB unread, naming the way for larger files', async () => {
    const id = await aDraft()
    const half = pdf({ bytes: 2.2 * 1024 * 1024 })
    const answer = await uploaded(id, agent.token, [half, Buffer.concat([half, Buffer.from(' ')])])
    expect(answer).toMatchObject({
      status: 413,
      body: {
        code: 'payload_too_large',
        detail: expect.stringContaining('POST /listings/{id}/media/uploads'),
      },
    })
    expect(await mediaOf(id)).toEqual([])
  })

  it('takes a file of exactly 4 MiB', async () => {
    const whole = Buffer.concat([pdf(), Buffer.alloc(PART_MAX_BYTES - pdf().length, ' ')])
    expect(whole.length).toBe(PART_MAX_BYTES)
    expect(await uploaded(await aDraft(), agent.token, [whole])).toMatchObject({ status: 201 })
  })
})

describe('415', () => {
  it.each([['application/json'], ['image/jpeg'], ['multipart/mixed; boundary=b'], ['']])(
    'answers a body of type %j',
    async (type) => {
      const answer = await upload(await aDraft(), [filePart(jpeg())], { headers: { 'content-type': type } })
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    },
  )
})

describe('whose it is', () => {
  it('answers another’s listing as one that is not there, to the last byte', async () => {
    const { token } = await anAgent()
    const seen = async (id: string) => {
      const { status, body } = await upload(id, [filePart(jpeg())], { token })
      return { status, body: { ...body, requestId: '' } }
    }
    const nothing = await seen(newId('listing'))
    expect(nothing).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const status of ['DRAFT', 'PENDING_REVIEW', 'REJECTED', 'SUSPENDED', 'ARCHIVED'] as const) {
      const id = await aDraft({ status })
      expect(await seen(id)).toEqual(nothing)
      expect(await mediaOf(id)).toEqual([])
    }
  })

  it('answers 403 for another’s that everyone may see', async () => {
    const owner = await aVerifiedAgent()
    const id = await aDraft({ status: 'PUBLISHED', media: [aMedia()] }, owner)
    for (const { token } of [agent, await aProvenUser()]) {
      expect(await upload(id, [filePart(jpeg())], { token })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    }
    expect(await mediaOf(id)).toHaveLength(1)
  })

  it('is looked at only after the form: what is wrong with it is said first', async () => {
    const { token } = await anAgent()
    expect(await upload(await aDraft(), [filePart('x')], { token })).toMatchObject({ status: 400 })
  })

  it('is nobody’s without a token, and is not even read then', async () => {
    const answer = await call(uploadMedia, { params: { id: await aDraft() }, rawBody: 'x' })
    expect(answer).toMatchObject({ status: 401 })
  })
})

describe('what is uploaded', () => {
  it('is private: no link but a signed one opens it, and that one only for five minutes', async () => {
    const [item] = itemsOf(await uploaded(await aDraft(), agent.token, [png()]))
    const link = new URL(item?.url ?? '')
    expect(link.searchParams.get('X-Amz-Expires')).toBe('300')
    expect((await fetch(link.origin + link.pathname)).status).toBe(403)
    link.pathname = link.pathname.replace(/.$/, (last) => (last === 'X' ? 'Y' : 'X'))
    expect((await fetch(link)).status).toBe(403)
  })
})
