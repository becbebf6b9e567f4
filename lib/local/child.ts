import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Environment } from './environment.ts'

/** A process that this one started and ends. */
export type Child = {
  processId: number
  /** Resolves with the first thing it says over its channel; a process that has none leaves it pending. */
  message: Promise<unknown>
  /** Resolves with the process's last output when it ends. */
  ended: Promise<string>
  /** Ends it, first politely, and resolves when it is gone. */
  stop: () => Promise<void>
}

export type ChildOptions = {
  command: string
  args: string[]
  environment: Environment
  workingDirectory?: string
  /** Gets each line of output. Returning true means that it was dealt with and need not be remembered. */
  onLine?: (line: string) => boolean
}

const GRACE_MILLISECONDS = 5_000
const REMEMBERED_LINES = 40

/** Starts a process whose output is kept quiet; its last output explains why it ended. */
export function startChild({ command, args, environment, workingDirectory, onLine }: ChildOptions): Child {
  const child = spawn(command, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(workingDirectory !== undefined && { cwd: workingDirectory }),
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface(stream).on('line', (line) => {
      if (onLine?.(line)) return
      lines.push(line)
      if (lines.length > REMEMBERED_LINES) lines.shift()
    })
  }
  const message = new Promise<unknown>((resolve) => {
    child.once('message', (said) => {
      // Output of the start explains a later end no more.
      lines.length = 0
      resolve(said)
    })
  })
  // However this process ends, none of its children stays.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(lines.join('\n')))
  })
  return { processId: child.pid ?? 0, message, ended, stop: () => end(child, ended) }
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS)
  await ended
  clearTimeout(insist)
}
