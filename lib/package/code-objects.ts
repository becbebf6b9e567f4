import { readFile } from 'node:fs/promises'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { sha256 } from '#lib/kernel/signatures'
import { resourcesOf, type Template } from './template/template.ts'

/**
 * Names each function's zip by its content: `<folder>/<function>-<hash>.zip`. osls names the folder by the time of the
 * deployment, and CloudFormation would replace every function each time. `zips` holds the zips' paths by the functions'
 * names in serverless.yml, with which each `FunctionName` ends.
 */
export async function nameCodeByContent(
  template: Template,
  { stackName, folder, zips }: { stackName: string; folder: string; zips: Readonly<Record<string, string>> },
): Promise<void> {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    const name = `${Properties['FunctionName']}`.slice(`${stackName}-`.length)
    const zip = zips[name]
    if (zip === undefined) continue
    const hash = sha256(await readFile(zip))
    Object.assign(Properties['Code'] as Code, { S3Key: `${folder}/${name}-${hash}.zip` })
  }
}

/** Copies each zip that osls uploaded to the key that the template names, unless it is there from an earlier release. */
export async function copyCode(
  s3: S3Client,
  template: Template,
  { bucket, uploaded }: { bucket: string; uploaded: string },
): Promise<void> {
  const copies = resourcesOf(template, 'AWS::Lambda::Function').map(async ([, { Properties }]) => {
    const { S3Key: Key } = Properties['Code'] as Code
    const [, name] = ZIP_KEY.exec(Key) ?? []
    if (name === undefined || (await isThere(s3, { Bucket: bucket, Key }))) return
    const CopySource = encodeURI(`${bucket}/${uploaded}/${name}.zip`)
    await s3.send(new CopyObjectCommand({ Bucket: bucket, Key, CopySource }))
  })
  await Promise.all(copies)
}

/** Stores files under keys of the deployment bucket. */
export async function storeFiles(
  s3: S3Client,
  Bucket: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const stored = Object.entries(files).map(async ([Key, path]) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(path) })),
  )
  await Promise.all(stored)
}

/**
 * Removes zips and nested templates whose name holds a hash and that no template in the bucket names. It runs before
 * osls removes the templates of older deployments, so that it keeps whatever they or the present deployment use.
 * Returns how many objects it removed.
 */
export async function pruneCode(
  s3: S3Client,
  { bucket: Bucket, folder }: { bucket: string; folder: string },
): Promise<number> {
  const keys: string[] = []
  // The templates stand in sibling folders, one for each deployment.
  const Prefix = folder.slice(0, folder.lastIndexOf('/') + 1)
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix }))
    keys.push(...Contents.map(({ Key = '' }) => Key))
  const templates: string[] = []
  for (const Key of keys.filter((key) => key.endsWith('/compiled-cloudformation-template.json'))) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
    templates.push((await Body?.transformToString()) ?? '')
  }
  // Without any template every zip would look unused.
  if (templates.length === 0) return 0
  const unused = keys.filter(
    (key) =>
      key.startsWith(`${folder}/`) && HASHED_KEY.test(key) && !templates.some((text) => text.includes(key)),
  )
  for (let start = 0; start < unused.length; start += MOST_DELETED_AT_ONCE) {
    const Objects = unused.slice(start, start + MOST_DELETED_AT_ONCE).map((Key) => ({ Key }))
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    )
    if (Errors[0]) throw new Error(`${Errors[0].Key} is not removed: ${Errors[0].Message}`)
  }
  return unused.length
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const MOST_DELETED_AT_ONCE = 1000

type Code = { S3Key: string }

/** The key of a zip that `nameCodeByContent` has named; the group is the function's name. */
const ZIP_KEY = /([^/]+)-[0-9a-f]{64}\.zip$/
/** The key of a zip or a nested template whose name holds a hash. */
const HASHED_KEY = /-[0-9a-f]{64}\.(zip|json)$/

const isThere = (s3: S3Client, object: { Bucket: string; Key: string }): Promise<boolean> =>
  s3.send(new HeadObjectCommand(object)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'NotFound') return false
      throw error
    },
  )
