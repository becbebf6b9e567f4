import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { derivedModules } from './derived-modules.ts'
import { NATIVE_PACKAGES } from './native-packages.ts'
import { pureConstants } from './pure-constants.ts'

type BundleFolders = { bundles: string; maps: string }

export type BundleContents = {
  /** The file with the handler, then the files that it loads when it needs them. */
  files: string[]
  /** Bytes in the output by the path of the input. */
  bytes: Record<string, number>
  /** Native packages that the bundle needs next to it. */
  natives: string[]
}

/** Where the bundles lie that functions load when they are needed. Node finds them there from any folder of a zip. */
const LOADED_LATER = 'node_modules/loaded-later'

/**
 * Bundles every function, each on its own and with nothing it does not use, as a CommonJS module. An adapter of AWS that
 * is loaded by `import()` becomes a bundle of its own, which functions share. In the bundle of a function esbuild would
 * wrap each module that both use, such as the SDK's core, and keep the whole of it: that costs 15 to 20 ms. Source maps stay
 * behind: shipping them would cost every cold start 16 ms.
 */
export async function bundleFunctions(
  root: string,
  functions: readonly string[],
  folders: BundleFolders,
): Promise<Record<string, BundleContents>> {
  const later = new Map<string, string>()
  const contents = await buildAll(root, '.', functions, folders, [loadedLater(later)])
  const loaded = await buildAll(root, LOADED_LATER, [...later.values()].sort(), folders, [])
  return Object.fromEntries(
    Object.entries(contents).map(([file, { imported, ...own }]) => {
      const parts = imported.flatMap((path) => {
        const name = later.get(path)
        const part = name === undefined ? undefined : loaded[name]
        return part ? [part] : []
      })
      const natives = NATIVE_PACKAGES.filter((name) => imported.includes(name))
      return [
        file,
        {
          files: [...own.files, ...parts.flatMap(({ files }) => files)],
          bytes: Object.assign({}, own.bytes, ...parts.map(({ bytes }) => bytes)),
          natives,
        },
      ]
    }),
  )
}

/** Leaves the adapters of AWS that are loaded by `import()` out of a bundle, and notes their files by their names. */
const loadedLater = (files: Map<string, string>): Plugin => ({
  name: 'loaded-later',
  setup: ({ onResolve, resolve }) => {
    onResolve(
      { filter: /\.(s3|ssm|secrets-manager)(\.ts)?$/ },
      async ({ kind, path, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === LOADED_LATER) return undefined
        const found = await resolve(path, { kind, resolveDir, pluginData: LOADED_LATER })
        const file = found.path.replace(/^.*\/(lib\/.*)\.ts$/, '$1')
        const name = `loaded-later/${file}.cjs`
        files.set(name, file)
        return { path: name, external: true }
      },
    )
  },
})

async function buildAll(
  root: string,
  folder: string,
  files: readonly string[],
  { bundles, maps }: BundleFolders,
  plugins: readonly Plugin[],
) {
  const { metafile } = await build({
    ...RECIPE,
    // Evaluates `*.derived.ts` now.
    plugins: [...plugins, derivedModules, pureConstants],
    absWorkingDir: root,
    entryPoints: files.map((file) => `${file}.ts`),
    outbase: '.',
    outdir: join(bundles, folder),
  })
  for (const file of files) {
    const map = join(folder, `${file}.cjs.map`)
    await mkdir(dirname(join(maps, map)), { recursive: true })
    await rename(join(bundles, map), join(maps, map))
  }
  return contentsOf(metafile, folder)
}

/** The SDK's chain of credential providers is loaded even if a client is given credentials: that costs 7 ms. */
export const SDK_ALIAS = {
  '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts'),
}

/** Each choice was measured: see `test/bench/README.md`. */
const RECIPE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  // Where node_modules is a link, paths stay those of a plain checkout: the same commit makes the same bytes anywhere.
  preserveSymlinks: true,
  // The SDK's CommonJS build is larger and slower than its modules.
  mainFields: ['module', 'main'],
  // Without this, `import()` of `node:http` reads all of its exports, which loads undici. `require` does not.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  outExtension: { '.js': '.cjs' },
  // Stops zod from compiling a parser for each schema at its first use: that costs 4 ms and pays only after thousands
  // of requests. A directive counts only as the first statement.
  banner: { js: '"use strict";(globalThis.__zod_globalConfig ??= {}).jitless = true;' },
  external: NATIVE_PACKAGES,
  define: {
    // A bundle is CommonJS, which has no `import.meta`. Sources use it to find native packages, which lie in the zip.
    'import.meta.resolve': 'require.resolve',
    // The SDK asks whether a stream is of the web, and naming that kind makes Node load it: that costs 3 ms. Among our
    // packages, only `file-type` makes such streams. It does so for archives, which functions refuse.
    ReadableStream: 'undefined',
  },
  alias: SDK_ALIAS,
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions

const contentsOf = ({ outputs }: Metafile, folder: string) =>
  Object.fromEntries(
    Object.values(outputs).flatMap(({ entryPoint, inputs, imports }) => {
      if (entryPoint === undefined) return []
      const taken = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      const bytes = Object.fromEntries(taken.map(([path, { bytesInOutput }]) => [path, bytesInOutput]))
      const file = entryPoint.replace(/\.ts$/, '')
      return [
        [file, { files: [join(folder, `${file}.cjs`)], bytes, imported: imports.map(({ path }) => path) }],
      ]
    }),
  )
