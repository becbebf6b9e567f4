import { readFile } from 'node:fs/promises'
import { transform } from 'esbuild'

/**
 * The program of the thread that draws a document, as text: a bundle is one file, so the thread has no file to start.
 * Packaging calls this once and ships the text in its place, without the transformation below.
 */
export const pageDrawer = (): string => PROGRAM

const SOURCE = await readFile(new URL('./render-pages.worker.ts', import.meta.url), 'utf8')
const { code: PROGRAM } = await transform(SOURCE, {
  loader: 'ts',
  format: 'esm',
  target: 'node24',
  minify: true,
})
