import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Environment } from './environment.ts'

/** A process that this one started and ends. */
export type Child = {
  /** 0 if the process could not be started. */
  processId: number
  /** Resolves with its first message over the IPC channel, if it ever sends one. */
  message: Promise<unknown>
  /** Resolves with the process's last output when it ends. */
  ended: Promise<string>
  /** Ends it with SIGTERM, and with SIGKILL if that is not enough. Resolves when it is gone. */
  stop: () => Promise<void>
}

type ChildOptions = {
  command: string
  args: string[]
  environment: Environment
  workingDirectory?: string
  /** Receives each line of output. Returns true for a line that need not be remembered. */
  onLine?: (line: string) => boolean
}

const GRACE_MILLISECONDS = 5_000
const REMEMBERED_LINES = 40

/** Starts a process without printing its output. Its last lines of output explain why it ended. */
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
    child.once('message', (first) => {
      // The output of a successful start does not explain why the process ends later.
      lines.length = 0
      resolve(first)
    })
  })
  // The child ends with this process.
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
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS)
  await ended
  clearTimeout(timer)
}
