import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noteBuilt, readBuilt } from '#lib/package/built-bundles'

it('Bundles are built again where a packaging ended while it noted what they hold.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'))
  const bundles = { getHealth: { files: ['index.mjs'], bytes: { 'index.mjs': 10 }, natives: [] } }
  await noteBuilt(folder, 'hash', bundles)
  expect(await readBuilt(folder, 'hash')).toEqual(bundles)
  expect(await readBuilt(folder, 'another')).toBeUndefined()
  await writeFile(join(folder, 'contents.json'), '{"sources":"hash","bund')
  expect(await readBuilt(folder, 'hash')).toBeUndefined()
  await rm(folder, { recursive: true })
})
