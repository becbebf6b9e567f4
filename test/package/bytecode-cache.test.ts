import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytecodeOf } from '#lib/package/bytecode'
import { bytecodeCache } from '#lib/package/bytecode-cache'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-bytecode-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A bundle with its bytecode, in a build of its own. */
async function built(build: string, code: string, bytecode?: string): Promise<string> {
  await mkdir(join(folder, build), { recursive: true })
  const bundle = join(folder, build, 'login.cjs')
  await writeFile(bundle, code)
  if (bytecode !== undefined) await writeFile(bytecodeOf(bundle), bytecode)
  return bundle
}

describe('kept bytecode', () => {
  it('is put beside the same bundle again, wherever it is built', async () => {
    const cache = bytecodeCache(join(folder, 'kept'))
    await cache.keep([await built('first', 'code', 'bytes')])
    const again = await built('second', 'code')
    expect(await cache.restore(again)).toBe(true)
    expect(await readFile(bytecodeOf(again), 'utf8')).toBe('bytes')
  })

  it('is nothing for a bundle that has changed, and for an empty cache', async () => {
    expect(await bytecodeCache(join(folder, 'kept')).restore(await built('third', 'other'))).toBe(false)
    expect(await bytecodeCache(join(folder, 'none')).restore(await built('third', 'code'))).toBe(false)
  })

  it('bytecode of a bundle that is no longer packaged is removed', async () => {
    const cache = bytecodeCache(join(folder, 'kept'))
    await cache.keep([await built('fourth', 'new code', 'new bytes')])
    expect(await readdir(join(folder, 'kept'))).toHaveLength(1)
    expect(await cache.restore(await built('fifth', 'code'))).toBe(false)
  })
})
