import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const FOLDER = join(import.meta.dirname, '../../node_modules/aws-lambda-ric')
const NATIVE_PART = join(FOLDER, 'rapid-client.node')
const MINUTES_5 = 5 * 60_000

/**
 * The real runtime client. Its native part is compiled at the first call, in about a minute, where the machine
 * has what that takes; so nobody who only installs and runs the service waits for it. Answers with the reason
 * where it cannot be had.
 */
export async function builtRuntimeClient(): Promise<{ path: string } | { missing: string }> {
  if (!existsSync(NATIVE_PART)) {
    try {
      for (const script of ['preinstall', 'postinstall']) {
        await promisify(execFile)('npm', ['run', script], {
          cwd: FOLDER,
          env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
          timeout: MINUTES_5,
        })
      }
    } catch (error) {
      const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1)
      return { missing: `aws-lambda-ric could not be compiled (it takes g++, make, cmake, python3): ${said}` }
    }
  }
  return { path: join(FOLDER, 'index.mjs') }
}
