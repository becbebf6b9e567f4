import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import * as z from 'zod'

/**
 * Packages with machine code or WebAssembly. They cannot be bundled, and go into the zip of each function that uses
 * them.
 */
export const NATIVE_PACKAGES = ['sharp', '@hyzyla/pdfium']

const Manifest = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  os: z.array(z.string()).default([]),
  cpu: z.array(z.string()).default([]),
})

const SHIPPED = /(\.([cm]?js|json|node|wasm)|\.so[\d.]*|(^|\/)LICEN[CS]E[^/]*)$/
/** Sources and builds for browsers are left out, and builds for `import`, since a bundle calls `require`. */
const LEFT_OUT = /^(src|install)\/|^dist\/(worker|index\.esm|pdfium\.wasm\.base64)[^/]*\.js$/

/**
 * Returns the files of these packages and of all that they depend on, by their place in the zip. Throws when what is
 * installed is for another machine than Linux with this processor.
 */
export async function nativeFiles(
  root: string,
  packages: readonly string[],
  cpu: string,
): Promise<Record<string, string>> {
  const folders = new Set<string>()
  for (const name of packages) await collect(name, root, cpu, folders)
  const files = await Promise.all([...folders].map(shippedFiles))
  return Object.fromEntries(files.flat().map((file) => [relative(root, file).split(sep).join('/'), file]))
}

async function collect(name: string, from: string, cpu: string, folders: Set<string>): Promise<void> {
  const folder = findPackage(name, from)
  if (folder === undefined) throw new Error(`${name} is not installed`)
  if (folders.has(folder)) return
  folders.add(folder)
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  refuseOtherMachines(manifest, cpu)
  // Builds for machines are optional dependencies, of which npm installs those for this machine.
  const installed = Object.keys(manifest.optionalDependencies).filter((other) => findPackage(other, folder))
  for (const other of [...Object.keys(manifest.dependencies), ...installed]) {
    await collect(other, folder, cpu, folders)
  }
}

async function shippedFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  const shipped = files.filter((file) => {
    const name = file.split(sep).join('/')
    return SHIPPED.test(name) && !LEFT_OUT.test(name)
  })
  return shipped.map((file) => join(folder, file))
}

function findPackage(name: string, from: string): string | undefined {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  return folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')))
}

function refuseOtherMachines({ name, os, cpu: cpus }: z.infer<typeof Manifest>, cpu: string): void {
  const isFit = (os.length === 0 || os.includes('linux')) && (cpus.length === 0 || cpus.includes(cpu))
  if (!isFit) {
    throw new Error(`${name} is not for Linux on ${cpu}: run npm ci --os linux --cpu ${cpu} --libc glibc`)
  }
}
