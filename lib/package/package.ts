import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSources, noteBuilt, readBuilt } from './built-bundles.ts'
import { type BundleContents, bundleFunctions } from './bundle.ts'
import type { DeployedFunction } from './functions.ts'
import { nativeFiles } from './native-packages.ts'
import { writeZip } from './zip.ts'

export type PackageOptions = {
  root: string
  functions: readonly DeployedFunction[]
  bundles: Bundles
  /** The folder that gets the zips. */
  zips: string
  /** The processor that the functions run on, as Node names it. */
  cpu: string
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

/** Zips every bundle, as a file that Lambda loads by the function's handler. Returns each function's zip. */
export async function packageFunctions(options: PackageOptions): Promise<Record<string, string>> {
  const { root, functions, bundles, zips, cpu } = options
  const packaged = functions.map(async ({ name, file }) => {
    const zip = join(zips, `${name}.zip`)
    const { files = [], natives = [] } = bundles[file] ?? {}
    await writeZip(zip, {
      ...Object.fromEntries(files.map((name) => [name, join(root, BUILD, 'bundles', name)])),
      ...(await nativeFiles(root, natives, cpu)),
    })
    return [name, zip] as const
  })
  return Object.fromEntries(await Promise.all(packaged))
}
