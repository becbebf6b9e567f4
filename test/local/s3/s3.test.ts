import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CreatedObject, type LocalS3, startS3 } from '#lib/local/s3/s3-server'

const buckets = { media: 'test-media', documents: 'test-documents' }
const credentials = { accessKeyId: 'LOCALTEST', secretAccessKey: 'a secret of this test' }
const created: CreatedObject[] = []
let directory: string
let s3: LocalS3
let client: S3Client
let stranger: S3Client

const clientWith = (secretAccessKey: string) =>
  new S3Client({
    endpoint: s3.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey },
    maxAttempts: 1,
  })

const put = (key: string, body: string, bucket = buckets.media) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'text/plain' }))

const get = async (key: string, bucket = buckets.media) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  return Body?.transformToString()
}

const base64Sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** A request whose path is sent as it is spelt here, which `fetch` would tidy. */
const rawStatus = (origin: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    httpRequest({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 's3-'))
  s3 = await startS3({ directory, credentials, buckets })
  s3.onObjectCreated((object) => created.push(object))
  client = clientWith(credentials.secretAccessKey)
  stranger = clientWith('another secret')
  await put('private/plan.txt', 'a private plan')
  await put('public/agent/card.txt', 'a public card')
  await put('passport.txt', 'a passport', buckets.documents)
})

afterAll(async () => {
  client.destroy()
  stranger.destroy()
  await s3.stop()
  await rm(directory, { recursive: true })
})

describe('an unsigned request', () => {
  it.each([
    ['reads a private object', 'GET', `/${buckets.media}/private/plan.txt`],
    ['reads a public object at the origin', 'GET', `/${buckets.media}/public/agent/card.txt`],
    ['lists a bucket', 'GET', `/${buckets.documents}?list-type=2`],
    ['lists all buckets', 'GET', '/'],
    ['writes', 'PUT', `/${buckets.media}/public/mine.txt`],
    ['deletes', 'DELETE', `/${buckets.media}/private/plan.txt`],
    ['posts a form', 'POST', `/${buckets.media}`],
  ])('is refused when it %s', async (_, method, path) => {
    const response = await fetch(s3.endpoint + path, { method })

    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<Code>AccessDenied</Code>')
  })
})

it('lets browsers of any page put what a link allows', async () => {
  const response = await fetch(`${s3.endpoint}/${buckets.media}/originals/a`, { method: 'OPTIONS' })

  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'content-type, if-none-match, x-amz-checksum-sha256',
  })
})

describe('a signed request', () => {
  it('chooses headers of its answer, as a link for downloading does', async () => {
    const command = new GetObjectCommand({
      Bucket: buckets.media,
      Key: 'private/plan.txt',
      ResponseContentDisposition: 'attachment',
      ResponseContentType: 'application/octet-stream',
    })
    const response = await fetch(await getSignedUrl(client, command, { expiresIn: 60 }))

    expect(response.headers.get('content-disposition')).toBe('attachment')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(await response.text()).toBe('a private plan')
  })

  it('reads ranges of a private object', async () => {
    const read = async (Range: string) => {
      const range = { Bucket: buckets.media, Key: 'private/plan.txt', Range }
      return (await client.send(new GetObjectCommand(range))).Body?.transformToString()
    }

    expect([await read('bytes=-4'), await read('bytes=0-0')]).toEqual(['plan', 'a'])
  })

  it('reads, lists, copies and deletes', async () => {
    await put('private/a b+c/ü(1).txt', 'odd name')
    await client.send(
      new CopyObjectCommand({
        Bucket: buckets.media,
        Key: 'public/copy.txt',
        CopySource: `${buckets.media}/private/plan.txt`,
      }),
    )
    const listed = await client.send(new ListObjectsV2Command({ Bucket: buckets.media, Prefix: 'private/' }))

    expect(await get('private/a b+c/ü(1).txt')).toBe('odd name')
    expect(await get('public/copy.txt')).toBe('a private plan')
    expect(listed.Contents?.map(({ Key }) => Key)).toEqual(['private/a b+c/ü(1).txt', 'private/plan.txt'])

    await client.send(new DeleteObjectCommand({ Bucket: buckets.media, Key: 'public/copy.txt' }))
    await client.send(new DeleteObjectCommand({ Bucket: buckets.media, Key: 'private/a b+c/ü(1).txt' }))
    await expect(get('public/copy.txt')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  it('is refused with another secret', async () => {
    const read = stranger.send(new GetObjectCommand({ Bucket: buckets.media, Key: 'private/plan.txt' }))

    await expect(read).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
      $metadata: { httpStatusCode: 403 },
    })
  })

  it('is told to everyone who listens once the object is whole', async () => {
    await put('uploads/new thing.txt', '12345')

    expect(created.at(-1)).toEqual({
      bucket: buckets.media,
      key: 'uploads/new thing.txt',
      size: 5,
      etag: createHash('md5').update('12345').digest('hex'),
      eventName: 'ObjectCreated:Put',
    })
  })

  it('is refused when the body is not the one that was signed', async () => {
    const wrong = client.send(
      new PutObjectCommand({
        Bucket: buckets.media,
        Key: 'private/x',
        Body: 'one',
        ChecksumSHA256: base64Sha256('another'),
      }),
    )

    await expect(wrong).rejects.toMatchObject({ name: 'BadDigest', $metadata: { httpStatusCode: 400 } })
    await expect(get('private/x')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })
})

describe('a presigned link', () => {
  const readLink = (expiresIn: number, signer = client, at = new Date()) =>
    getSignedUrl(signer, new GetObjectCommand({ Bucket: buckets.documents, Key: 'passport.txt' }), {
      expiresIn,
      signingDate: at,
    })

  it('reads the object it was made for', async () => {
    const response = await fetch(await readLink(60))

    expect([response.status, await response.text()]).toEqual([200, 'a passport'])
  })

  it('is refused after it expired', async () => {
    const response = await fetch(await readLink(60, client, new Date(Date.now() - 61_000)))

    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('Request has expired'),
    ])
  })

  it('is refused when made with another secret', async () => {
    expect((await fetch(await readLink(60, stranger))).status).toBe(403)
  })

  it.each([
    ['another object', (link: string) => link.replace('passport', 'diploma')],
    ['another method', (link: string) => link.replace('x-id=GetObject', 'x-id=PutObject')],
    ['a longer life', (link: string) => link.replace('Expires=60', 'Expires=600')],
    ['a parameter more', (link: string) => `${link}&response-content-type=text/html`],
  ])('is refused for %s', async (_, change) => {
    expect((await fetch(change(await readLink(60)))).status).toBe(403)
  })

  it('is refused beside a second signature', async () => {
    const response = await fetch(await readLink(60), {
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x' },
    })

    expect(response.status).toBe(403)
  })
})

describe('a presigned upload', () => {
  const body = 'twelve bytes'
  const link = () =>
    getSignedUrl(
      client,
      new PutObjectCommand({
        Bucket: buckets.media,
        Key: 'uploads/film.mp4',
        ContentType: 'video/mp4',
        ContentLength: body.length,
        ChecksumSHA256: base64Sha256(body),
      }),
      {
        expiresIn: 60,
        signableHeaders: new Set(['content-length', 'content-type']),
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
      },
    )
  const upload = async (content: string, headers: Record<string, string> = {}) =>
    fetch(await link(), {
      method: 'PUT',
      body: content,
      headers: { 'content-type': 'video/mp4', 'x-amz-checksum-sha256': base64Sha256(body), ...headers },
    })

  it('takes exactly what was announced', async () => {
    expect((await upload(body)).status).toBe(200)

    const head = await client.send(new HeadObjectCommand({ Bucket: buckets.media, Key: 'uploads/film.mp4' }))
    expect([head.ContentLength, head.ContentType]).toEqual([12, 'video/mp4'])
  })

  it('is refused with another length', async () => {
    expect((await upload(`${body}!`)).status).toBe(403)
  })

  it('is refused with another type', async () => {
    expect((await upload(body, { 'content-type': 'text/html' })).status).toBe(403)
  })

  it('is refused with another checksum', async () => {
    expect((await upload(body, { 'x-amz-checksum-sha256': base64Sha256('twelve bites') })).status).toBe(403)
  })

  it('is refused with a header that was not signed', async () => {
    expect((await upload(body, { 'x-amz-acl': 'public-read' })).status).toBe(403)
  })

  it('is refused with other bytes of the same length, and keeps none of them', async () => {
    const before = await get('uploads/film.mp4')
    const response = await upload('twelve bites')

    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('BadDigest')])
    expect(await get('uploads/film.mp4')).toBe(before)
  })
})

describe('an upload that must be new', () => {
  const putNew = (key: string, body: string) =>
    client.send(new PutObjectCommand({ Bucket: buckets.media, Key: key, Body: body, IfNoneMatch: '*' }))

  it('is refused if the object exists, and leaves the object as it was', async () => {
    await putNew('uploads/once.txt', 'the first')
    const told = created.length
    await expect(putNew('uploads/once.txt', 'the second')).rejects.toMatchObject({
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
    })
    expect(await get('uploads/once.txt')).toBe('the first')
    expect(created).toHaveLength(told)
  })

  it('succeeds once if many arrive at the same time', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `upload ${index}`)
    const outcomes = await Promise.allSettled(names.map((name) => putNew('uploads/race.txt', name)))
    const [winner, ...others] = names.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(others).toEqual([])
    expect(await get('uploads/race.txt')).toBe(winner)
  })
})

describe('the public face of the media bucket', () => {
  it('shows what lies under public/', async () => {
    const response = await fetch(`${s3.mediaUrl}/agent/card.txt`)

    expect([response.status, await response.text()]).toEqual([200, 'a public card'])
  })

  it('answers HEAD and a range', async () => {
    const head = await fetch(`${s3.mediaUrl}/agent/card.txt`, { method: 'HEAD' })
    const part = await fetch(`${s3.mediaUrl}/agent/card.txt`, {
      method: 'HEAD',
      headers: { range: 'bytes=-4' },
    })

    expect([head.status, head.headers.get('content-length')]).toEqual([200, '13'])
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '4'])
  })

  it.each([
    ['bytes=2-7', 'public', 'bytes 2-7/13'],
    ['bytes=0-0', 'a', 'bytes 0-0/13'],
    ['bytes=12-', 'd', 'bytes 12-12/13'],
    ['bytes=9-500', 'card', 'bytes 9-12/13'],
    ['bytes=-4', 'card', 'bytes 9-12/13'],
    ['bytes=-500', 'a public card', 'bytes 0-12/13'],
  ])('answers the range %s', async (range, content, contentRange) => {
    const response = await fetch(`${s3.mediaUrl}/agent/card.txt`, { headers: { range } })

    expect([response.status, await response.text()]).toEqual([206, content])
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(response.headers.get('content-length')).toBe(`${content.length}`)
  })

  it.each(['bytes=13-', 'bytes=13-20', 'bytes=-0'])('cannot satisfy the range %s', async (range) => {
    const response = await fetch(`${s3.mediaUrl}/agent/card.txt`, { headers: { range } })

    expect([response.status, await response.text()]).toEqual([416, expect.stringContaining('InvalidRange')])
  })

  it.each(['bytes=7-2', 'bytes=0-1,4-5', 'bytes=a-b', 'bytes=-', 'lines=0-1'])(
    'answers the whole object to the range %s',
    async (range) => {
      const response = await fetch(`${s3.mediaUrl}/agent/card.txt`, { headers: { range } })

      expect([response.status, await response.text()]).toEqual([200, 'a public card'])
      expect(response.headers.get('content-range')).toBeNull()
    },
  )

  it('lets pages of every origin read pictures, and says so to pages alone', async () => {
    const headers = { origin: 'https://www.platform.test' }
    const answers = [
      await fetch(`${s3.mediaUrl}/agent/card.txt`, { headers }),
      await fetch(`${s3.mediaUrl}/agent/card.txt`, { headers: { ...headers, range: 'bytes=0-0' } }),
      await fetch(`${s3.mediaUrl}/agent/missing.txt`, { headers }),
      await fetch(`${s3.mediaUrl}/agent/card.txt`),
    ]

    const allowed = answers.map((answer) => answer.headers.get('access-control-allow-origin'))
    expect(allowed).toEqual(['*', '*', '*', null])
  })

  it.each([
    '/',
    '/agent/',
    '/agent/missing.txt',
    '/private/plan.txt',
    '/../private/plan.txt',
    '/%2e%2e/private/plan.txt',
    '/agent/..%2f..%2fprivate/plan.txt',
    '/../../test-documents/passport.txt',
    '/%E0%A4%A',
    '/?list-type=2&prefix=private/',
  ])('answers 403 to %s', async (path) => {
    expect(await rawStatus(s3.mediaUrl, path)).toBe(403)
  })

  it.each(['PUT', 'POST', 'DELETE'])('answers 403 to %s', async (method) => {
    expect((await fetch(`${s3.mediaUrl}/agent/card.txt`, { method })).status).toBe(403)
  })

  it('is not moved by a signature', async () => {
    const response = await fetch(`${s3.mediaUrl}/private/plan.txt?X-Amz-Signature=x`)

    expect(response.status).toBe(403)
  })
})
