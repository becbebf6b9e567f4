import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Outcome, startRuntimeApi } from './runtime-api.ts'

export type LambdaOptions = {
  /** Where the zip was unpacked. */
  taskRoot: string
  /** Such as `functions/accounts/register.handler`. */
  handler: string
  /** The function's own variables. What Lambda itself sets is added, and nothing else. */
  environment: Readonly<Record<string, string>>
  /** How the runtime client sends its requests: by Node, or by its own compiled part, see `buildRuntimeClient`. */
  transport: 'node' | 'compiled'
}

export type Lambda = {
  processId: number
  /** How long the start took, in milliseconds; fails when there was none. */
  initialized: Promise<number>
  /** Sends one event and waits for its outcome. */
  invoke: (event: unknown) => Promise<Outcome & { milliseconds: number }>
  /** What it wrote so far. */
  output: () => string
  stop: () => Promise<void>
}

const RUNTIME_CLIENT = join(import.meta.dirname, '../../node_modules/aws-lambda-ric/index.mjs')
/** As Lambda starts Node, but for the sizes of its heap. */
const NODE_FLAGS = ['--expose-gc']
const PRELOADED = {
  node: ['--require', join(import.meta.dirname, 'runtime-transport.cjs')],
  compiled: [],
}

/**
 * Starts a function as Lambda does: the real runtime client, in a process of its own whose environment holds
 * what Lambda gives a function and nothing of ours.
 */
export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const api = await startRuntimeApi()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...NODE_FLAGS, ...PRELOADED[options.transport], RUNTIME_CLIENT], {
    cwd: options.taskRoot,
    env: { ...lambdaEnvironment(options, api.address), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  ended.then(() => api.abandon(new Error(`The function's process ended.\n${output}`)))
  const initialized = api.initialized.then(() => performance.now() - startedAt)
  initialized.catch(() => {})

  return {
    processId: child.pid ?? 0,
    initialized,
    invoke: async (event) => {
      await initialized
      const sentAt = performance.now()
      const outcome = await api.invoke(event)
      return { ...outcome, milliseconds: performance.now() - sentAt }
    },
    output: () => output,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await api.stop()
    },
  }
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
const lambdaEnvironment = ({ taskRoot, handler }: LambdaOptions, runtimeApi: string) => ({
  AWS_LAMBDA_RUNTIME_API: runtimeApi,
  AWS_LAMBDA_FUNCTION_NAME: 'test',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/test',
  AWS_LAMBDA_LOG_STREAM_NAME: 'test',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  LAMBDA_TASK_ROOT: taskRoot,
  _HANDLER: handler,
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
})
