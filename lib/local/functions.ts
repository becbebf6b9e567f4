import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import type { Environment } from './environment.ts'
import type { Ports } from './ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

export type FunctionsOptions = {
  ports: Pick<Ports, 'functions' | 'lambda'>
  environment: Environment
  /** Where serverless.yml is; the repository unless a test has another. */
  root?: string
  /** Gets what the functions log, line by line. */
  onLog: (line: string) => void
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
}: FunctionsOptions): Promise<Child> {
  const child = startChild({
    command: process.execPath,
    args: [
      SERVERLESS,
      'offline',
      'start',
      ...['--host', '127.0.0.1', '--httpPort', `${ports.functions}`, '--lambdaPort', `${ports.lambda}`],
    ],
    environment: { ...environment, FORCE_COLOR: '0' },
    workingDirectory: root,
    onLine: (line) => {
      const isWorthShowing = line.startsWith('{') || FAILURE.test(line)
      if (isWorthShowing) onLog(line)
      return line.startsWith('{')
    },
  })
  const said = await Promise.race([child.ready, child.ended])
  if (said !== undefined) throw new Error(`The functions did not start.\n${said}`)
  return child
}

/** osls marks what went wrong like this, a stack by a deeper indent. */
const FAILURE = /^(× |✖ | {6}at )/
