import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BYTECODE_RUNTIME, bytecodeOf } from './bytecode.ts'

/**
 * Bytecode of earlier packagings, by the hash of its bundle and the runtime. V8 makes different bytes each time. With
 * the cached bytes an unchanged function has the same zip, and a deployment leaves the function alone.
 */
export type BytecodeCache = {
  /** Copies the kept bytecode next to the bundle. Returns whether there was any. */
  restore: (bundle: string) => Promise<boolean>
  /** Keeps the bytecode of packaged functions and removes all other. */
  keep: (bundles: readonly string[]) => Promise<void>
}

/** Opens the cache in a folder, which need not be there yet. */
export function bytecodeCache(folder: string): BytecodeCache {
  const nameOf = async (bundle: string): Promise<string> => {
    const hash = createHash('sha256').update(await readFile(bundle))
    return `${hash.digest('hex')}.${BYTECODE_RUNTIME}.bytecode`
  }
  return {
    restore: async (bundle) => {
      const stored = join(folder, await nameOf(bundle))
      return copyFile(stored, bytecodeOf(bundle)).then(
        () => true,
        () => false,
      )
    },
    keep: async (bundles) => {
      await mkdir(folder, { recursive: true })
      const kept = await Promise.all(
        bundles.map(async (bundle) => {
          const name = await nameOf(bundle)
          await copyFile(bytecodeOf(bundle), join(folder, name))
          return name
        }),
      )
      const gone = (await readdir(folder)).filter((name) => !kept.includes(name))
      await Promise.all(gone.map((name) => rm(join(folder, name), { force: true })))
    },
  }
}
