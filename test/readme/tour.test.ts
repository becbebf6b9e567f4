import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PORT = 5_000 + (process.pid % 4_000)

let directory = ''
let stack: ReturnType<typeof spawn> | undefined
const environment = () => ({
  ...process.env,
  PORT: `${PORT}`,
  LOCAL_DIR: directory,
  DEMO_DATA: 'off',
  AWS_ENDPOINT_URL_DYNAMODB: '',
  ...UNSET,
})
/** The tour's stack is a stack of its own: nothing of this test file's environment may reach it. */
const UNSET = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) =>
      /^(STAGE|.*_URL|TABLE_NAME|.*_BUCKET|AUTH_.*|CONSOLE_.*|HMAC_KEYS|CURSOR_KEYS|CORS_ORIGINS|LOG_LEVEL|AWS_.*|PAYMENT_PROVIDERS|MAIL_.*)$/.test(
        name,
      ),
    )
    .map((name) => [name, undefined]),
)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platform-tour-'))
  stack = spawn(process.execPath, ['lib/local/commands/start.ts'], {
    cwd: ROOT,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: stack.stdout as NodeJS.ReadableStream })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('Platform API ready on ') && resolve())
    stack?.once('exit', (code) => reject(new Error(`The stack ended with ${code}`)))
  })
})

afterAll(async () => {
  if (stack && stack.exitCode === null) {
    stack.kill('SIGTERM')
    await once(stack, 'exit')
  }
  await rm(directory, { recursive: true, force: true })
})

/** Every `sh` block of the README, in order, pointed at this test's stack. */
async function blocks(): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const found = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  return found.join('\n').replaceAll('http://localhost:3000', `http://localhost:${PORT}`)
}

describe('the README', () => {
  it('leads from registration to a paid deposit by its own commands, as written', async () => {
    const script = `set -e\n${await blocks()}`
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env: environment() })
    const lines = stdout.trim().split('\n')
    expect(lines).toEqual(
      expect.arrayContaining(['PENDING_REVIEW', 'PUBLISHED', 'PAID', 'UNDER_OFFER', 'SUCCEEDED']),
    )
    expect(stdout).not.toContain('requestId')
  })
})
