import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Guide } from '#lib/docs/guide-list'

const ROOT = join(import.meta.dirname, '../..')

/** The program of a guide, as a reader of it would save it. */
export type GuideProgram = {
  markdown: string
  code: string
  /** A folder of its own, in which it runs and which ends with it. */
  folder: string
  start: (env: Record<string, string>, ...given: string[]) => ChildProcess
  remove: () => Promise<void>
}

/**
 * Reads a `js` block of a guide, the first without a name or the one with it, and saves it inside the repository, where the
 * packages that it imports are found.
 */
export async function guideProgram(guide: string, name?: string): Promise<GuideProgram> {
  const markdown = await readGuide(guide)
  const code =
    name === undefined ? /```js\n([\s\S]*?)```/.exec(markdown)?.[1] : (await guideModules(guide)).get(name)
  if (code === undefined) throw new Error(`The guide ${guide} shows no such program`)
  const folder = join(ROOT, '.local', `${guide}-${process.pid}`)
  const file = join(folder, `${guide}.mjs`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, code)
  return {
    markdown,
    code,
    folder,
    start: (env, ...given) =>
      spawn(process.execPath, [file, ...given], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Reads the named `js` blocks of a guide: the text of each by its file's name. */
export async function guideModules(guide: string): Promise<Map<string, string>> {
  const blocks = (await readGuide(guide)).matchAll(/```js ([\w.-]+)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

/** The TypeScript of guides as the one program that it is, with its types beside it in `platform-api.ts`. */
export const typescriptOf = (guides: readonly Guide[]): string =>
  guides
    .filter(({ id }) => id !== 'typed-client')
    .flatMap(({ markdown }) => [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code))
    .join('\n')

const readGuide = (guide: string): Promise<string> =>
  readFile(join(ROOT, 'lib/docs/guides', `${guide}.md`), 'utf8')

/** Returns a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
