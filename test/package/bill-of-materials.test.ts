import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { writeBillOfMaterials } from '#lib/package/bill-of-materials'

const ROOT = join(import.meta.dirname, '../..')
const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ 'bom-ref': z.string() }) }),
  components: z.array(z.object({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string(), dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
})

const parseFile = async <Schema extends z.ZodType>(schema: Schema, path: string) =>
  schema.parse(JSON.parse(await readFile(path, 'utf8')))

it('A release’s bill of materials holds what the lock file ships, also what the build uses too, and nothing else.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-materials-'))
  try {
    await writeBillOfMaterials(ROOT, folder)
    const bill = await parseFile(Bill, join(folder, 'bill-of-materials.cdx.json'))
    const { packages } = await parseFile(Lock, join(ROOT, 'package-lock.json'))
    const shipped = Object.entries(packages)
      .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    const named = bill.components.map(({ name, version }) => `${name}@${version}`)
    expect(new Set(named)).toEqual(new Set(shipped))
    expect(named.filter((each) => /^(zod|jose|sharp)@/.test(each))).toHaveLength(3)
    const refs = new Set([bill.metadata.component, ...bill.components].map((each) => each['bom-ref']))
    const referred = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
    expect(referred.filter((ref) => !refs.has(ref))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
