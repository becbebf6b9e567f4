import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { call } from '#test/support/call'
import { html, pdf } from '#test/support/files'
import { anAgent, aProvenUser, consoleToken, type GivenUser } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'
import { delivered, mediaOf, processed, uploaded } from '#test/support/media'
import { CLIENTS, filePart, multipartBody, type PartLines, textPart } from '#test/support/multipart'
import { jpeg, png, sample } from '#test/support/pictures'

let agent: GivenUser

beforeAll(async () => {
  agent = await anAgent()
})

const draft = () => aListing(agent.id, { status: 'DRAFT' })

const sent = (
  id: string,
  rawBody: Buffer | string,
  contentType = 'multipart/form-data; boundary=b',
  token = agent.token,
) => call(uploadMedia, { params: { id }, token, headers: { 'content-type': contentType }, rawBody })

const form = (...parts: PartLines[]) => multipartBody('b', parts)

describe('a body that clients send', () => {
  it.each(CLIENTS)('201 from $client', async ({ boundary, contentType, file, caption, epilogue }) => {
    const id = await draft()
    const body = multipartBody(
      boundary,
      [
        {
          headers: file.map((line) => line.replace('Content-Length: 6', `Content-Length: ${jpeg().length}`)),
          content: jpeg(),
        },
        { headers: caption, content: 'Sea vue' },
      ],
      { epilogue: epilogue ?? '\r\n' },
    )
    const answer = await sent(id, body, contentType ?? `multipart/form-data; boundary=${boundary}`)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      items: [
        { kind: 'image', status: 'PROCESSING', width: null, height: null, caption: 'Sea vue', position: 0 },
      ],
    })
    expect(answer.headers['etag']).toBe(`"${(await listingOf(id))?.version}-owner"`)
  })
})

describe('a body that is wrong', () => {
  const good = form(filePart(jpeg()))
  const many = (count: number, part: PartLines) => Array.from({ length: count }, () => part)

  it.each([
    ['no body', Buffer.alloc(0), undefined, 400, 'malformed_multipart'],
    ['no parts', Buffer.from('--b--\r\n'), undefined, 400, 'validation_failed'],
    ['no end', good.subarray(0, -6), undefined, 400, 'malformed_multipart'],
    ['another boundary', good, 'multipart/form-data; boundary=c', 400, 'malformed_multipart'],
    ['no boundary', good, 'multipart/form-data', 400, 'malformed_multipart'],
    [
      'a part of 64 KiB that names no field',
      form(filePart(jpeg()), { headers: ['X: y'], content: Buffer.alloc(65_536) }),
      undefined,
      400,
      'malformed_multipart',
    ],
    ['JSON', Buffer.from('{}'), 'application/json', 415, 'unsupported_media_type'],
    ['another kind of parts', good, 'multipart/mixed; boundary=b', 415, 'unsupported_media_type'],
    ['a picture by itself', jpeg(), 'image/jpeg', 415, 'unsupported_media_type'],
    [
      'a file of another name',
      form(filePart(jpeg(), { name: 'photo' })),
      undefined,
      400,
      'validation_failed',
    ],
    ['a caption without its file', form(textPart('alone')), undefined, 400, 'validation_failed'],
    [
      'more captions than files',
      form(filePart(jpeg()), textPart('a'), textPart('b')),
      undefined,
      400,
      'validation_failed',
    ],
    [
      'a caption that is a book',
      form(filePart(jpeg()), textPart('a'.repeat(301))),
      undefined,
      400,
      'validation_failed',
    ],
    ['a caption that rings', form(filePart(jpeg()), textPart('a\x07')), undefined, 400, 'validation_failed'],
    [
      'a caption that is not text',
      form(filePart(jpeg()), textPart(Buffer.from([0xff, 0xfe]))),
      undefined,
      400,
      'validation_failed',
    ],
    ['eleven files', form(...many(11, filePart(jpeg()))), undefined, 400, 'validation_failed'],
    ['a hundred and one parts', form(...many(101, textPart('a', 'x'))), undefined, 400, 'validation_failed'],
    [
      'a file of more than 4 MiB',
      form(filePart(Buffer.concat([jpeg(), Buffer.alloc(4 * 1024 * 1024)]))),
      undefined,
      413,
      'payload_too_large',
    ],
    [
      'more than 4.25 MiB in all',
      form(...many(2, filePart(Buffer.alloc(2.2 * 1024 * 1024)))),
      undefined,
      413,
      'payload_too_large',
    ],
  ])('%s', async (_, body, contentType, status, code) => {
    const id = await draft()
    const answer = await sent(id, body, contentType)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code })
    expect((await listingOf(id))?.media).toEqual([])
  })

  it('names every part that is wrong, and keeps none of the others', async () => {
    const id = await draft()
    const body = form(
      filePart(jpeg()),
      filePart(html()),
      filePart(''),
      filePart(png()),
      textPart('a'),
      textPart('b'.repeat(400)),
    )
    const answer = await sent(id, body)
    expect(answer.body).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: 'caption[1]', code: 'invalid_value' },
        { path: 'file[1]', code: 'unsupported_type' },
        { path: 'file[2]', code: 'empty' },
      ],
    })
    expect((await listingOf(id))?.media).toEqual([])
  })

  it('is refused or taken, and never breaks anything, whatever is done to a hundred of them', async () => {
    const id = await draft()
    const whole = form(filePart(jpeg()), textPart('Sea view'), filePart(pdf()))
    const edit = fc.record({
      at: fc.nat({ max: whole.length - 1 }),
      length: fc.nat({ max: 40 }),
      bytes: fc.uint8Array({ maxLength: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const body = edits.reduce(
          (bytes, { at, length, bytes: put }) =>
            Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)]),
          whole,
        )
        const { status } = await sent(id, body)
        expect([200, 201, 400, 409, 413, 415]).toContain(status)
      }),
      { numRuns: 100 },
    )
  })
})

describe('files sent again', () => {
  it('200 names the items that are there, in the order of the parts', async () => {
    const id = await draft()
    await uploaded(id, agent.token, [jpeg(), png()])
    const [first, second] = await mediaOf(id)
    const answer = await uploaded(id, agent.token, [png(), jpeg(), png()])
    expect(answer.status).toBe(200)
    const { items } = answer.body
    expect(items.map((item) => item.id)).toEqual([second?.id, first?.id, second?.id])
    expect(await mediaOf(id)).toHaveLength(2)
  })

  it('201 when one of them is new, and twice in one body is once', async () => {
    const id = await draft()
    await uploaded(id, agent.token, [jpeg()])
    const answer = await uploaded(id, agent.token, [jpeg(), png(), png()])
    expect(answer.status).toBe(201)
    expect(await mediaOf(id)).toHaveLength(2)
  })

  it('are one item when eight send the same at once', async () => {
    const id = await draft()
    const answers = await Promise.all(Array.from({ length: 8 }, () => uploaded(id, agent.token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 201, 503].includes(status))).toBe(true)
    expect(await mediaOf(id)).toHaveLength(1)
  })
})

describe('thirty at once', () => {
  it('are thirty items in order, each READY as soon as its bytes are, and lose no change made meanwhile', async () => {
    const id = await draft()
    const sendings = Array.from({ length: 30 }, async (_, index) => {
      const answer = await uploaded(id, agent.token, [png({ width: index + 1, height: 7 })])
      const [item] = answer.body.items
      return { status: answer.status, outcome: await delivered(id, item?.id ?? '') }
    })
    const renamed = call(editListing, { params: { id }, token: agent.token, body: { title: 'Meanwhile' } })
    const results = await Promise.all(sendings)
    expect(results.map(({ status }) => status)).toEqual(Array(30).fill(201))
    expect((await renamed).status).toBe(200)
    const listing = await listingOf(id)
    expect(listing?.media.flatMap(({ reason }) => reason ?? [])).toEqual([])
    expect(results.map(({ outcome }) => outcome[0]?.outcome)).toEqual(Array(30).fill('READY'))
    expect(listing).toMatchObject({ title: 'Meanwhile', version: 1 + 30 + 30 + 1 })
    expect(listing?.media.map(({ status }) => status)).toEqual(Array(30).fill('READY'))
  })

  it('are so on a published listing, whose revision begins with the first of them', async () => {
    const id = await aListing(agent.id, { ...COMPLETE, media: [aMedia()] })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        uploaded(id, agent.token, [png({ width: index + 1, height: 9 })]),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const listing = await listingOf(id)
    expect(listing?.media.filter(({ isPending }) => isPending)).toHaveLength(30)
    expect(listing?.revision).not.toBeNull()
  })
})

describe('bytes that cannot be stored', () => {
  it('leave no item behind', async () => {
    const id = await draft()
    const broken = { put: () => Promise.reject(new Error('the store is away')) }
    const answer = await call(uploadMedia, {
      params: { id },
      token: agent.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      rawBody: multipartBody('b', [filePart(jpeg()), filePart(png())]),
      deps: { originals: broken },
    })
    expect(answer.status).toBe(500)
    expect(await mediaOf(id)).toEqual([])
  })
})

describe('forty', () => {
  // An agent may add 200 files an hour, and those above were many.
  beforeAll(async () => {
    agent = await anAgent()
  })

  it('come in one by one when many are sent at once', async () => {
    const id = await draft()
    const sendings = Array.from({ length: 20 }, (_, index) =>
      uploaded(id, agent.token, [png({ width: index + 1, height: 5 })]),
    )
    const answers = await Promise.all(sendings)
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([201])
    expect(await mediaOf(id)).toHaveLength(20)
  })

  it('are what a listing may have, however many come at once', async () => {
    const id = await draft()
    const files = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => png({ width: from + index + 1, height: 3 }))
    for (let from = 0; from < 30; from += 10) await uploaded(id, agent.token, files(from, 10))
    const answers = await Promise.all(
      [100, 200, 300].map((from) => uploaded(id, agent.token, files(from, 4))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409])
    expect(await mediaOf(id)).toHaveLength(38)
    const last = await uploaded(id, agent.token, files(500, 3))
    expect(last.body).toMatchObject({ code: 'media_limit_reached' })
    expect((await uploaded(id, agent.token, files(600, 2))).status).toBe(201)
  })
})

describe('whoever sends', () => {
  it('401, 404 and 403 for others, whatever the body; 201 for an administrator', async () => {
    const id = await draft()
    const body = form(filePart(jpeg()))
    const live = await aListing(agent.id, { status: 'PUBLISHED' })
    const stranger = await aProvenUser()
    expect((await sent(id, body, undefined, 'nonsense')).status).toBe(401)
    expect((await sent(id, body, undefined, stranger.token)).status).toBe(404)
    expect((await sent(live, body, undefined, stranger.token)).status).toBe(404)
    expect((await sent(id, body, undefined, await consoleToken())).status).toBe(201)
  })

  it('has every size in order with its caption', async () => {
    const id = await draft()
    const answer = await uploaded(id, agent.token, [sample('avif'), jpeg(), png()], ['One', '', 'Three'])
    expect(answer.body).toMatchObject({
      items: [
        { caption: 'One', contentType: 'image/avif', position: 0 },
        { caption: null, contentType: 'image/jpeg', position: 1 },
        { caption: 'Three', contentType: 'image/png', position: 2 },
      ],
    })
    expect(await processed(id, agent.token, [pdf()])).toMatchObject([
      { kind: 'document', status: 'READY', position: 3 },
    ])
  })
})
