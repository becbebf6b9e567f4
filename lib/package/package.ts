import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleFunctions } from './bundle.ts'
import type { DeployedFunction } from './functions.ts'
import { writeZip } from './zip.ts'

const LOADER = join(import.meta.dirname, 'loader.cjs')

export type PackageOptions = {
  root: string
  functions: readonly DeployedFunction[]
  /** The folder that gets the zips. */
  zips: string
  /** Whether to make bytecode, where this machine can. */
  bytecode: boolean
  report: (line: string) => void
}

/** Bundles every function and zips it. Answers with each function's zip. */
export async function packageFunctions(options: PackageOptions): Promise<Record<string, string>> {
  const { root, functions, zips } = options
  const build = join(root, '.build')
  const bundles = join(build, 'bundles')
  await rm(build, { recursive: true, force: true })
  await bundleFunctions(
    root,
    functions.map(({ file }) => file),
    { bundles, maps: join(build, 'maps') },
  )
  const packaged = functions.map(async ({ name, file }) => {
    const zip = join(zips, `${name}.zip`)
    await writeZip(zip, { [`${file}.js`]: LOADER, [`${file}.cjs`]: join(bundles, `${file}.cjs`) })
    return [name, zip] as const
  })
  return Object.fromEntries(await Promise.all(packaged))
}
