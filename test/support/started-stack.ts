import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** What a test file's environment holds that would reach a stack started from it. */
const FOREIGN =
  /^(STAGE|.*_URL|TABLE_NAME|.*_BUCKET|AUTH_.*|CONSOLE_.*|HMAC_KEYS|CURSOR_KEYS|CORS_ORIGINS|LOG_LEVEL|AWS_.*|PAYMENT_PROVIDERS|MAIL_.*|WEBAUTHN_.*)$/

/** A stack as `npm start` starts it, with a directory of its own that ends with it. */
export type StartedStack = {
  url: string
  /** Where its data and its keys lie. */
  directory: string
  /** Runs commands in one shell from the repository's root, against this stack; answers what they print. */
  run: (commands: string) => Promise<string>
  stop: () => Promise<void>
}

type Options = {
  demoData: boolean
  /** The directory of an earlier stack to start again from, which then outlives this one. */
  directory?: string
  /** Variables of the functions. */
  variables?: Record<string, string>
  /** Given each line that it prints. */
  report?: (line: string) => void
}

/** Starts the whole service on this machine, as `npm start` does. */
export async function startedStack(
  port: number,
  { demoData, directory: given, variables = {}, report }: Options,
): Promise<StartedStack> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'platform-stack-')))
  const env = {
    ...variables,
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
    PORT: `${port}`,
    LOCAL_DIR: directory,
    // What one stack and its commands have compiled, the next need not: a third of what a start costs.
    NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
    DEMO_DATA: demoData ? 'on' : 'off',
  }
  const stack = spawn(process.execPath, ['lib/local/commands/start.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: stack.stdout })
  if (report) lines.on('line', report)
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('Platform API ready on ') && resolve())
    stack.once('exit', (code) => reject(new Error(`The stack ended with ${code}`)))
  })
  const url = `http://localhost:${port}`
  return {
    url,
    directory,
    run: async (commands) => {
      // What a failing command leaves running in the background ends with the shell.
      const script = `set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${commands.replaceAll('http://localhost:3000', url)}`
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env })
      return stdout
    },
    stop: async () => {
      if (stack.exitCode === null) {
        stack.kill('SIGTERM')
        await once(stack, 'exit')
      }
      if (given === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The `sh` blocks of Markdown, in order, as one script. */
export const commandsOf = (markdown: string): string =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n')
