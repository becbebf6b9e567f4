import { readFileSync } from 'node:fs'

const LOOK_MILLISECONDS = 500

/**
 * Calls back, twice a second, once the npm that ran this script has ended, or the shell between npm and the script. A
 * SIGKILL of either does not reach the script itself. Does nothing for a script that npm did not run. Without /proc,
 * notices only the end of the shell.
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
