import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

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

/** Reads the first `js` block of a guide and saves it inside the repository, where the packages that it imports are found. */
export async function guideProgram(guide: string): Promise<GuideProgram> {
  const markdown = await readFile(join(ROOT, 'lib/docs/guides', `${guide}.md`), 'utf8')
  const [, code] = /```js\n([\s\S]*?)```/.exec(markdown) ?? []
  if (code === undefined) throw new Error(`The guide ${guide} shows no program`)
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
        stdio: 'ignore',
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Returns a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
