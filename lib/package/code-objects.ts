import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { CopyObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { resourcesOf, type Template } from './template/template.ts'

/**
 * Names each function's zip by its content: `<folder>/<function>-<hash>.zip`. osls names the folder by the time of the
 * deployment, and CloudFormation would replace every function each time. `zips` are paths by the functions' names,
 * which end `FunctionName`.
 */
export async function nameCodeByContent(
  template: Template,
  { stackName, folder, zips }: { stackName: string; folder: string; zips: Readonly<Record<string, string>> },
): Promise<void> {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    const name = `${Properties['FunctionName']}`.slice(`${stackName}-`.length)
    const zip = zips[name]
    if (zip === undefined) continue
    const hash = createHash('sha256').update(await readFile(zip))
    Object.assign(Properties['Code'] as Code, { S3Key: `${folder}/${name}-${hash.digest('hex')}.zip` })
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
    const [, name] = BY_CONTENT.exec(Key) ?? []
    if (name === undefined || (await isThere(s3, { Bucket: bucket, Key }))) return
    const CopySource = encodeURI(`${bucket}/${uploaded}/${name}.zip`)
    await s3.send(new CopyObjectCommand({ Bucket: bucket, Key, CopySource }))
  })
  await Promise.all(copies)
}

type Code = { S3Key: string }

const BY_CONTENT = /([^/]+)-[0-9a-f]{64}\.zip$/

const isThere = (s3: S3Client, object: { Bucket: string; Key: string }): Promise<boolean> =>
  s3.send(new HeadObjectCommand(object)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'NotFound') return false
      throw error
    },
  )
