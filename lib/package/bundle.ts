import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type TransformOptions, transform } from 'esbuild'
import { inParallel } from '#lib/kernel/parallel'
import { derivedModules } from './derived-modules.ts'
import { NATIVE_PACKAGES } from './native-packages.ts'
import { pureConstants } from './pure-constants.ts'

type BundleFolders = { bundles: string; maps: string }

export type BundleContents = {
  /** The files of the bundle: the one with the handler, and those that it loads when they are needed. */
  files: string[]
  /** Bytes in the output by the path of the input. */
  bytes: Record<string, number>
  /** Native packages that the bundle needs next to it. */
  natives: string[]
}

/**
 * Bundles every function, each on its own and with nothing it does not use, as CommonJS modules. Source maps stay behind:
 * shipping them would cost every cold start 16 ms.
 */
export async function bundleFunctions(
  root: string,
  functions: readonly string[],
  folders: BundleFolders,
): Promise<Record<string, BundleContents>> {
  const bundled = await inParallel([...new Set(functions)], (file) => bundle(root, file, folders), {
    width: 4,
  })
  return Object.fromEntries(bundled)
}

async function bundle(root: string, name: string, { bundles, maps }: BundleFolders) {
  const { outputFiles, metafile } = await build({
    ...RECIPE,
    absWorkingDir: root,
    entryPoints: [`${name}.ts`],
    outbase: '.',
    outdir: '.',
    chunkNames: `${name}-[hash]`,
  })
  for (const { path, text } of outputFiles) {
    const file = relative(root, path)
    const { code, map } = await transform(text, COMMON_JS)
    await mkdir(dirname(join(bundles, file)), { recursive: true })
    await mkdir(dirname(join(maps, file)), { recursive: true })
    await writeFile(join(bundles, file), code)
    await writeFile(join(maps, `${file}.map`), map)
  }
  return [name, contentsOf(metafile)] as const
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
  // What `import()` loads becomes files of its own. In one CommonJS file esbuild wraps each module that they share with the
  // function, such as the SDK's core, and keeps the whole of it: that costs 15 to 20 ms.
  format: 'esm',
  splitting: true,
  minify: true,
  // Where node_modules is a link, paths stay those of a plain checkout: the same commit makes the same bytes anywhere.
  preserveSymlinks: true,
  // The SDK's CommonJS build is larger and slower than its modules.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  sourcemap: 'inline',
  sourcesContent: false,
  outExtension: { '.js': '.cjs' },
  external: NATIVE_PACKAGES,
  // A bundle is CommonJS, which has no `import.meta`. Sources use it to find native packages, which lie in the zip.
  define: {
    'import.meta.resolve': 'require.resolve',
    // The SDK asks whether a stream is of the web, and naming that kind makes Node load it: that costs 3 ms. Of our packages
    // `file-type` alone makes such streams, for archives, which functions refuse anyway.
    ReadableStream: 'undefined',
  },
  alias: SDK_ALIAS,
  // Evaluates `*.derived.ts` now.
  plugins: [derivedModules, pureConstants],
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

/** Node loads CommonJS faster, and of `node:http` only what is used: its ESM face would load undici. */
const COMMON_JS = {
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  // Stops zod from compiling a parser for each schema at its first use: that costs 4 ms and pays only after thousands
  // of requests. A directive counts only as the first statement.
  banner: '"use strict";(globalThis.__zod_globalConfig ??= {}).jitless = true;',
} satisfies TransformOptions

function contentsOf({ outputs }: Metafile): BundleContents {
  const bytes: Record<string, number> = {}
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0) bytes[path] = bytesInOutput
  const imported = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  return {
    files: Object.keys(outputs).sort(),
    bytes,
    natives: NATIVE_PACKAGES.filter((name) => imported.includes(name)),
  }
}
