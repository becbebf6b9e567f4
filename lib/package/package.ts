import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSources, noteBuilt, readBuilt } from './built-bundles.ts'
import { type BundleContents, bundleFunctions } from './bundle.ts'
import { bytecodeOf, makeBytecode } from './bytecode.ts'
import { bytecodeCache } from './bytecode-cache.ts'
import type { DeployedFunction } from './functions.ts'
import { nativeFiles } from './native-packages.ts'
import { writeZip } from './zip.ts'

const LOADER = join(import.meta.dirname, 'loader.cjs')

export type PackageOptions = {
  root: string
  functions: readonly DeployedFunction[]
  bundles: Bundles
  /** The folder that gets the zips. */
  zips: string
  /** The processor that the functions run on, as Node names it. */
  cpu: string
  /** Whether to ship bytecode, where this machine can make it. */
  bytecode: boolean
  report: (line: string) => void
}

export type Bundles = Readonly<Record<string, BundleContents>>

const BUILD = '.build'

/**
 * Bundles every function, into a folder that `packageFunctions` takes the bundles from. Earlier bundles are used again
 * if their sources are the same: bundling takes most of the time of a packaging.
 */
export async function bundleAll(root: string, functions: readonly DeployedFunction[]): Promise<Bundles> {
  const build = join(root, BUILD)
  const files = functions.map(({ file }) => file)
  const sources = await hashSources(root, files)
  const built = await readBuilt(build, sources)
  if (built) return built
  await rm(build, { recursive: true, force: true })
  const bundles = await bundleFunctions(root, files, {
    bundles: join(build, 'bundles'),
    maps: join(build, 'maps'),
  })
  await noteBuilt(build, sources, bundles)
  return bundles
}

/** Zips every bundle. Returns each function's zip. */
export async function packageFunctions(options: PackageOptions): Promise<Record<string, string>> {
  const { root, functions, bundles, zips } = options
  const bundleOf = ({ file }: DeployedFunction) => join(root, BUILD, 'bundles', `${file}.cjs`)
  const compiled = options.bytecode ? await tryMakeBytecode(options, bundleOf) : new Set()
  const packaged = functions.map(async (deployed) => {
    const zip = join(zips, `${deployed.name}.zip`)
    const bundle = bundleOf(deployed)
    const files = [LOADER, bundle, ...(compiled.has(deployed.name) ? [bytecodeOf(bundle)] : [])]
    await writeZip(zip, {
      ...Object.fromEntries(files.map((file) => [nameInZip(deployed, file), file])),
      ...(await nativeFiles(root, bundles[deployed.file]?.natives ?? [], options.cpu)),
    })
    return [deployed.name, zip] as const
  })
  return Object.fromEntries(await Promise.all(packaged))
}

/** Returns a file's name in the zip: `functions/accounts/sessions/login.js` for the loader, else with the file's ending. */
function nameInZip({ file }: DeployedFunction, path: string): string {
  if (path === LOADER) return `${file}.js`
  const ending = path.slice(path.indexOf('.', path.lastIndexOf('/')))
  return `${file}${ending}`
}

const CACHE = '.cache/bytecode'

/**
 * Makes bytecode for the functions that changed since the last packaging, and restores that of all others from the
 * cache. A failure is only reported, because a function without bytecode works, but starts more slowly.
 */
async function tryMakeBytecode(
  { root, functions, report }: PackageOptions,
  bundleOf: (deployed: DeployedFunction) => string,
) {
  const cache = bytecodeCache(join(root, CACHE))
  const restored = () => restoredNames(functions, (deployed) => cache.restore(bundleOf(deployed)))
  try {
    const known = await restored()
    if (known.size === functions.length) return known
    const changed = functions.filter(({ name }) => !known.has(name))
    const { made, failure } = await makeBytecode(functions, changed, bundleOf)
    // Unchanged functions ran too, to prepare data such as an agent, and overwrote their bytecode: it is restored again.
    for (const name of await restored()) made.add(name)
    const left = functions.filter(({ name }) => !made.has(name)).map(({ name }) => name)
    if (failure) report(`A function failed while its bytecode was made: ${failure}`)
    if (left.length > 0) report(`No bytecode for ${left.join(', ')}`)
    await cache.keep(functions.filter(({ name }) => made.has(name)).map(bundleOf))
    return made
  } catch (error) {
    report(`No bytecode: ${error}`)
    return new Set<string>()
  }
}

/** Restores the bytecode of every function that has not changed, and returns their names. */
async function restoredNames(
  functions: readonly DeployedFunction[],
  restore: (deployed: DeployedFunction) => Promise<boolean>,
): Promise<Set<string>> {
  const found = await Promise.all(
    functions.map(async (deployed) => (await restore(deployed)) && deployed.name),
  )
  return new Set(found.filter((name) => name !== false))
}
