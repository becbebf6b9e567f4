import { readFileSync } from 'node:fs'

const LOOK_MILLISECONDS = 500

/**
 * Calls back when the npm that ran this script, or the shell in between, was killed: neither passes a SIGKILL on. Does
 * nothing for a script that npm did not run; without /proc only notices the end of the shell.
 */
export function onceNpmIsGone(callback: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`
  const first = ancestors()
  setInterval(() => ancestors() !== first && callback(), LOOK_MILLISECONDS).unref()
}

function parentOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8').match(/^PPid:\s*(\d+)$/m)?.[1]
  } catch {
    return undefined
  }
}
