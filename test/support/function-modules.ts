import { readdir } from 'node:fs/promises'
import type { FunctionModule, HttpSpec, Spec } from '#lib/http/spec'

const ROOT = new URL('../../', import.meta.url)

/** A file under `functions/`, by its path from the root, and what it exports. */
export type FunctionFile = { file: string; module: FunctionModule }

/** Every file that is a function: all but the derived data among them. */
export async function functionFiles(): Promise<FunctionFile[]> {
  const files = (await readdir(new URL('functions/', ROOT), { recursive: true }))
    .filter((file) => /(?<!\.derived)\.ts$/.test(file))
    .map((file) => `functions/${file}`)
    .sort()
  return Promise.all(files.map(async (file) => ({ file, module: await import(new URL(file, ROOT).href) })))
}

/** Every declaration that answers HTTP, the catch-all included. */
export const httpSpecs = async (): Promise<HttpSpec[]> =>
  (await functionFiles()).flatMap(({ module: { spec } }) => (spec.kind === 'job' ? [] : [spec]))

/** Every endpoint, callbacks and the catch-all left out. */
export const endpointSpecs = async (): Promise<Spec[]> =>
  (await httpSpecs()).flatMap((spec) => (spec.kind === 'callback' || spec.route === '$default' ? [] : [spec]))
