import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalS3, startS3 } from '#lib/local/s3/s3-server'
import { pruneCode } from '#lib/package/code-objects'

const CREDENTIALS = { accessKeyId: 'PRUNING', secretAccessKey: 'of old code' }
const STAGE = 'serverless/platform-api/prod'
const FOLDER = `${STAGE}/code-artifacts`
const code = (name: string, digit: string, end = 'zip') => `${FOLDER}/${name}-${digit.repeat(64)}.${end}`
const templateAt = (day: number) =>
  `${STAGE}/17900000${day}-2026-11-0${day}T00:00:00.000Z/compiled-cloudformation-template.json`

describe('pruning the deployment bucket', () => {
  let directory: string
  let s3: LocalS3
  let objects: S3Client
  let bucket: string
  let count = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'platform-prune-'))
    const buckets = { media: 'pruned-1', documents: 'pruned-2' }
    s3 = await startS3({ directory, credentials: CREDENTIALS, buckets })
    objects = new S3Client({ endpoint: s3.endpoint, region: 'eu-west-1', credentials: CREDENTIALS })
  })
  beforeEach(() => {
    count += 1
    bucket = `pruned-${count}`
  })
  afterAll(async () => {
    objects.destroy()
    await s3.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const put = (Key: string, Body = 'x') => objects.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  const keys = async () => {
    const { Contents = [] } = await objects.send(new ListObjectsV2Command({ Bucket: bucket }))
    return Contents.map(({ Key = '' }) => Key).sort()
  }

  it('removes code that no kept deployment names, and keeps that of the present and the earlier ones', async () => {
    const nested = code('FunctionRoles', 'b', 'json')
    await put(templateAt(1), JSON.stringify({ S3Key: code('login', 'a') }))
    await put(
      templateAt(2),
      JSON.stringify([code('login', 'b'), { 'Fn::Sub': `https://\${Bucket}.s3/${nested}` }]),
    )
    const otherStage = code('login', 'c').replace('/prod/', '/pilot/')
    const kept = [code('login', 'a'), code('login', 'b'), nested, otherStage, `${FOLDER}/readme.txt`]
    for (const key of [...kept, code('login', 'c'), code('FunctionRoles', 'c', 'json')]) await put(key)
    expect(await pruneCode(objects, { bucket, folder: FOLDER })).toBe(2)
    expect(await keys()).toEqual([...kept, templateAt(1), templateAt(2)].sort())
  })

  it('removes nothing from a bucket without any template', async () => {
    await put(code('login', 'a'))
    expect(await pruneCode(objects, { bucket, folder: FOLDER })).toBe(0)
    expect(await keys()).toEqual([code('login', 'a')])
  })
})
