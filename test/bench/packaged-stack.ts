import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { importJWK, SignJWT } from 'jose'
import { environmentFor } from '#lib/package/functions'
import { httpEvent } from '#test/support/call'
import { type FunctionStack, startFunctionStack } from '#test/support/function-stack'
import type { Stage } from '../package/ask-functions.ts'
import { type Lambda, type LambdaOptions, startLambda } from '../package/lambda.ts'
import { ROOT, readPackaged } from '../package/packaged.ts'
import { unzip } from '../package/unzip.ts'
import { buildRuntimeClient } from './runtime-client.ts'

/** The functions as packaged, and the bare handler, each to be started in a process of its own. */
type PackagedStack = Omit<FunctionStack, 'stop'> & {
  functions: Stage['functions']
  start: (name: string) => Promise<Lambda>
  kilobytesOf: (name: string) => Promise<number>
  startBare: () => Promise<Lambda>
  /** An event that the bare handler answers with 200. */
  bareEvent: unknown
  stop: () => Promise<void>
}

/** Packages the functions, unpacks every zip and starts what the functions need to answer. */
export async function startPackagedStack(): Promise<PackagedStack> {
  const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')
  await promisify(execFile)(process.execPath, [serverless, 'package'], { cwd: ROOT })
  await buildRuntimeClient()
  const { functions, lambdas, zipOf } = await readPackaged()
  const stack = await startFunctionStack()
  const folder = await mkdtemp(join(tmpdir(), 'platform-bench-'))
  await bundleBareHandler(folder)
  for (const { name } of functions) await unzip(zipOf(name), join(folder, name))
  const start = (options: Omit<LambdaOptions, 'transport'>) =>
    startLambda({ ...options, transport: 'compiled' })
  return {
    ...stack,
    functions,
    start: (name) => {
      const deployed = functions.find((each) => each.name === name)
      const handler = lambdas[name]?.Handler
      if (!deployed || !handler) throw new Error(`There is no function ${name}`)
      const environment = environmentFor(deployed, stack.environment)
      return start({ taskRoot: join(folder, name), handler, environment })
    },
    kilobytesOf: async (name) => Math.round((await stat(zipOf(name))).size / 1000),
    startBare: () =>
      start({ taskRoot: folder, handler: 'bare-handler.handler', environment: stack.environment }),
    bareEvent: httpEvent('PATCH /auth/kyc', {
      token: await userToken(stack),
      body: { userId: 'usr_1', kycStatus: 'VERIFIED' },
    }),
    stop: async () => {
      await stack.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What all threads of a process have computed so far, in milliseconds: other processes do not change it. */
export async function cpuMilliseconds({ processId }: Lambda): Promise<number> {
  const threads = await readdir(`/proc/${processId}/task`)
  const statistics = await Promise.all(
    // A thread may end before it is read: the one that drew a picture's pages, for instance.
    threads.map((thread) => readFile(`/proc/${processId}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  )
  return statistics.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0)
}

/** Bundled as well as ours are, with the SDK's own chain of credentials. */
async function bundleBareHandler(outdir: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-handler.ts')],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    outExtension: { '.js': '.cjs' },
  })
}

async function userToken({ environment }: FunctionStack): Promise<string> {
  const { AUTH_SIGNING_KEYS = '', AUTH_ISSUER = '' } = environment
  const [key] = JSON.parse(AUTH_SIGNING_KEYS).keys
  return new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
    .setIssuer(AUTH_ISSUER)
    .setExpirationTime('1 h')
    .sign(await importJWK(key, 'EdDSA'))
}
