import { join, posix } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { buildSync, type Metafile } from 'esbuild'
import { hasStage } from '#lib/config/config'
import type { PackedFile } from './packed-file.ts'

const ROOT = join(import.meta.dirname, '../..')

type SiteRecipe = {
  /** Files that the page links to, by their paths from the root. */
  entryPoints: readonly string[]
  /** The path under which the files are served, such as `/console`. */
  servedAt: string
}

/** A page's files, and the hashed name of each entry point by its own name, such as `main.tsx`. */
export type Site = { names: Record<string, string>; files: Record<string, PackedFile> }

/**
 * Builds a page's scripts and styles, each under a name that holds a hash of its content, and compresses them as small
 * as they get. Takes an esbuild process of its own, which ends with the call.
 */
export function packSite({ entryPoints, servedAt }: SiteRecipe): Site {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [...entryPoints],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: '.build/site',
    publicPath: servedAt,
    bundle: true,
    // The hash in a name covers the paths of its sources: where node_modules is a link, they stay those of a plain checkout.
    preserveSymlinks: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.svg': 'file', '.woff2': 'file', '.png': 'file' },
    legalComments: 'none',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const files = outputFiles.map(({ path, contents }) => [posix.basename(path), pack(path, contents)] as const)
  return { names: namesOf(metafile), files: Object.fromEntries(files) }
}

const namesOf = ({ outputs }: Metafile): Record<string, string> =>
  Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[posix.basename(entryPoint), posix.basename(path)]],
    ),
  )

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

function pack(path: string, contents: Uint8Array): PackedFile {
  const contentType = TYPES[posix.extname(path)]
  if (contentType === undefined) throw new Error(`No content type is known for ${path}`)
  return compress(contentType, contents)
}

/** Compresses a page that is the same for everyone. */
export const packPage = (html: string): PackedFile => compress('text/html; charset=utf-8', Buffer.from(html))

/** A build compresses as far as it goes. A stage that runs from source has somebody waiting: 5 is fast. */
const QUALITY = hasStage() ? 5 : constants.BROTLI_MAX_QUALITY

function compress(contentType: string, contents: Uint8Array): PackedFile {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }
  return { contentType, brotliBase64: brotliCompressSync(contents, options).toString('base64') }
}
