import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { ROOT } from '../packaged.ts'

const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      properties: z.array(z.object({ name: z.string() })).default([]),
    }),
  ),
})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
    }),
  ),
})

const parseFile = async <Schema extends z.ZodType>(schema: Schema, path: string) =>
  schema.parse(JSON.parse(await readFile(join(ROOT, path), 'utf8')))

it('The bill of materials marks what only the build uses; all else is what the lock file ships.', async () => {
  const { components } = await parseFile(Bill, '.serverless/bill-of-materials.cdx.json')
  const { packages } = await parseFile(Lock, 'package-lock.json')
  const shipped = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
  const unmarked = components
    .filter(({ properties }) => properties.every(({ name }) => name !== 'cdx:npm:package:development'))
    .map(({ name, version }) => `${name}@${version}`)
  expect(new Set(unmarked)).toEqual(new Set(shipped))
  expect(unmarked.filter((each) => /^(zod|jose|sharp)@/.test(each))).toHaveLength(3)
})
