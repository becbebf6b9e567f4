import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { derivedModules } from './derived-modules.ts'
import { NATIVE_PACKAGES } from './native-packages.ts'

type BundleFolders = { bundles: string; maps: string }

export type BundleContents = {
  /** Bytes in the output by the path of the input. */
  bytes: Record<string, number>
  /** Native packages that the bundle needs next to it. */
  natives: string[]
}

/**
 * Bundles every function in one go, each on its own and with nothing it does not use, as a CommonJS module.
 * Its source map stays behind: shipping it would cost every cold start 16 ms.
 */
export async function bundleFunctions(
  root: string,
  files: readonly string[],
  { bundles, maps }: BundleFolders,
): Promise<Record<string, BundleContents>> {
  const { metafile } = await build({
    ...RECIPE,
    absWorkingDir: root,
    entryPoints: files.map((file) => `${file}.ts`),
    outbase: '.',
    outdir: bundles,
  })
  for (const file of files) {
    const map = join(maps, `${file}.cjs.map`)
    await mkdir(dirname(map), { recursive: true })
    await rename(join(bundles, `${file}.cjs.map`), map)
  }
  return contentsOf(metafile)
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
  // A bundle is CommonJS, which has no `import.meta`. Sources use it to find native packages, which lie in the zip.
  define: { 'import.meta.resolve': 'require.resolve' },
  alias: SDK_ALIAS,
  // Evaluates `*.derived.ts` now.
  plugins: [derivedModules],
  metafile: true,
  logLevel: 'warning',
} satisfies Parameters<typeof build>[0]

const contentsOf = ({ outputs }: Metafile): Record<string, BundleContents> =>
  Object.fromEntries(
    Object.values(outputs).flatMap(({ entryPoint, inputs, imports }) => {
      if (entryPoint === undefined) return []
      const taken = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      const bytes = Object.fromEntries(taken.map(([path, { bytesInOutput }]) => [path, bytesInOutput]))
      const natives = imports.map(({ path }) => path).filter((path) => NATIVE_PACKAGES.includes(path))
      const file = entryPoint.replace(/\.ts$/, '')
      return [[file, { bytes, natives }]]
    }),
  )
