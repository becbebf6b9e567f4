import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Environment } from './environment.ts'
import { ResolvedFunctions } from './events/event-sources.ts'
import type { Ports } from './ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

export type FunctionsOptions = {
  ports: Pick<Ports, 'functions' | 'lambda'>
  environment: Environment
  /** Where serverless.yml is; the repository unless a test has another. */
  root?: string
  /** Receives each line that the functions log. */
  onLog: (line: string) => void
}

export type LocalFunctions = {
  processId: number
  functions: ResolvedFunctions
  /** Resolves with the last lines of output when the process ends. */
  ended: Promise<string>
  stop: () => Promise<void>
}

/**
 * Runs every function of serverless.yml behind serverless-offline, and resolves once all of them are
 * loaded, so that the first request waits for nothing.
 */
export async function startFunctions({
  ports,
  environment,
  root = ROOT,
  onLog,
}: FunctionsOptions): Promise<LocalFunctions> {
  const child = startChild({
    command: process.execPath,
    args: [
      SERVERLESS,
      'offline',
      'start',
      ...['--stage', environment['STAGE'] ?? 'local'],
      ...['--host', '127.0.0.1', '--httpPort', `${ports.functions}`, '--lambdaPort', `${ports.lambda}`],
    ],
    environment: { ...environment, FORCE_COLOR: '0' },
    workingDirectory: root,
    onLine: (line) => {
      // Functions log JSON objects.
      const isLog = line.startsWith('{')
      if (isLog || FAILURE.test(line)) onLog(line)
      // True for lines that do not explain why the process ended: they are not remembered.
      return isLog || NOISE.test(line)
    },
  })
  // The process's first message holds its functions, once they are loaded.
  const loaded = await Promise.race([child.message, child.ended.then((output) => new Error(output))])
  if (loaded instanceof Error) throw new Error(`The functions did not start.\n${loaded.message}`)
  const { processId, ended, stop } = child
  return { processId, functions: ResolvedFunctions.parse(loaded), ended, stop }
}

/** The lines in which osls, the fork of the Serverless Framework, reports an error, and those of its stack. */
const FAILURE = /^(× |✖ | {6}at )/

/** serverless-offline's own lines about each request. */
const NOISE = /^\s*$|\(λ: /
