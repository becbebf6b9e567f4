import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const FOLDER = join(import.meta.dirname, '../../node_modules/aws-lambda-ric')
const NATIVE_PART = join(FOLDER, 'rapid-client.node')
const MINUTES_5 = 5 * 60_000

/**
 * Compiles the part of the real runtime client that sends its requests, at the first call and in about a minute. Throws
 * where the machine does not have what that takes.
 */
export async function buildRuntimeClient(): Promise<void> {
  if (existsSync(NATIVE_PART)) return
  for (const script of ['preinstall', 'postinstall']) {
    await promisify(execFile)('npm', ['run', script], {
      cwd: FOLDER,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      timeout: MINUTES_5,
    }).catch((error) => {
      const said = error.stderr?.trim().split('\n').at(-1)
      throw new Error(`aws-lambda-ric could not be compiled (it takes g++, make, cmake, python3): ${said}`)
    })
  }
}
