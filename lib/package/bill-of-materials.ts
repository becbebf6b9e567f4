import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import * as z from 'zod'

const FILE = 'bill-of-materials.cdx.json'
const MOST_BYTES = 64 * 1024 * 1024

const Component = z.looseObject({
  'bom-ref': z.string(),
  properties: z.array(z.looseObject({ name: z.string(), value: z.string() })).default([]),
})
type Component = z.infer<typeof Component>
const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })
const Bill = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(Dependency),
})

/** Whether only the build uses a component. */
const isForBuildOnly = ({ properties }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')

/**
 * Writes the bill of materials of the functions, in CycloneDX and by the lock file, next to the packaged artefacts.
 * npm's own `--omit dev` would also leave out packages that both the build and the functions use, such as zod.
 */
export async function writeBillOfMaterials(root: string, folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    { cwd: root, maxBuffer: MOST_BYTES },
  )
  const { components, dependencies, ...bill } = Bill.parse(JSON.parse(stdout))
  const shipped = components.filter((component) => !isForBuildOnly(component))
  const refs = new Set([bill.metadata.component, ...shipped].map((component) => component['bom-ref']))
  const text = JSON.stringify({
    ...bill,
    components: shipped,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ dependsOn, ...rest }) => ({ ...rest, dependsOn: dependsOn.filter((ref) => refs.has(ref)) })),
  })
  await writeFile(join(folder, FILE), text)
}

/**
 * Stores the packaged bill of materials in the folder of its deployment, which osls, the deployment tool, removes as a
 * whole. Does nothing if no bill was written: only a release writes one.
 */
export async function storeBillOfMaterials(
  s3: S3Client,
  { bucket, folder, packaged }: { bucket: string; folder: string; packaged: string },
): Promise<void> {
  const Body = await readFile(join(packaged, FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (Body === undefined) return
  const ContentType = 'application/vnd.cyclonedx+json'
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${folder}/${FILE}`, Body, ContentType }))
}
