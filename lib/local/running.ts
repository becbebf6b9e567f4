import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { LocalRoute } from './gateway/gateway.ts'

const STACK_FILE = 'stack.json'
const STACK_PATH = '/local/stack'
const Stack = z.object({ port: z.number(), run: z.string() })

/**
 * Returns the port of the stack that runs on this directory now, if one does. The stack itself is asked: the file may
 * be left over from a killed stack.
 */
export async function runningOn(directory: string): Promise<number | undefined> {
  const kept = await readFile(join(directory, STACK_FILE), 'utf8').catch(() => undefined)
  if (kept === undefined) return undefined
  const { port, run } = Stack.parse(JSON.parse(kept))
  const answer = await fetch(`http://127.0.0.1:${port}${STACK_PATH}`).catch(() => undefined)
  return (await answer?.text()) === run ? port : undefined
}

/** Marks this directory as the place of a running stack; the route confirms it until the stack ends. */
export async function announceRunning(
  directory: string,
  port: number,
): Promise<{ route: LocalRoute; stop: () => Promise<void> }> {
  const run = randomUUID()
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, STACK_FILE), JSON.stringify({ port, run }))
  return {
    route: { method: 'GET', path: STACK_PATH, handle: (_, response) => void response.end(run) },
    stop: () => rm(join(directory, STACK_FILE), { force: true }),
  }
}
