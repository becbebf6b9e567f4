import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as z from 'zod'
import { inParallel } from '#lib/kernel/parallel'
import { sha256 } from '#lib/kernel/signatures'
import type { BundleContents } from './bundle.ts'

const CONTENTS = 'contents.json'
/** The sources of bundles. The lock file stands for the installed packages. */
const SOURCES = ['functions', 'lib', 'package.json', 'package-lock.json', 'tsconfig.json']

const Contents = z.object({
  /** The hash of `hashSources`. */
  sources: z.string(),
  bundles: z.record(
    z.string(),
    // The form of `BundleContents`.
    z.object({
      files: z.array(z.string()),
      bytes: z.record(z.string(), z.number()),
      natives: z.array(z.string()),
    }),
  ),
})

/** Returns a hash of all that the bundles of these functions are made of, whatever the place of the checkout. */
export async function hashSources(root: string, functions: readonly string[]): Promise<string> {
  const paths = (await Promise.all(SOURCES.map((name) => filesOf(root, name)))).flat().sort()
  const hashes = await inParallel(paths, async (path) => sha256(await readFile(join(root, path))))
  return sha256(JSON.stringify([process.version, functions.toSorted(), paths, hashes]))
}

async function filesOf(root: string, name: string): Promise<string[]> {
  if ((await stat(join(root, name))).isFile()) return [name]
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/**
 * Returns what the bundles in a folder hold. Undefined where they are made of other sources than those with this hash, or
 * where the note of it is missing or was cut off.
 */
export async function readBuilt(
  folder: string,
  sourcesHash: string,
): Promise<Record<string, BundleContents> | undefined> {
  const built = await readFile(join(folder, CONTENTS), 'utf8')
    .then((text) => Contents.parse(JSON.parse(text)))
    .catch(() => undefined)
  return built?.sources === sourcesHash ? built.bundles : undefined
}

/** Notes what the bundles in a folder hold, and the hash of the sources that they are made of. */
export async function noteBuilt(
  folder: string,
  sourcesHash: string,
  bundles: Readonly<Record<string, BundleContents>>,
): Promise<void> {
  await writeFile(join(folder, CONTENTS), JSON.stringify({ sources: sourcesHash, bundles }))
}
