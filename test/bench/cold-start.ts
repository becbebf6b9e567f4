import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { importJWK, SignJWT } from 'jose'
import { environmentFor } from '#lib/package/functions'
import { httpEvent } from '#lib/package/rehearsal/http-event'
import { rehearse } from '#lib/package/rehearsal/rehearse'
import { startRehearsalStack } from '#lib/package/rehearsal/stack'
import { type LambdaOptions, startLambda } from '../package/lambda.ts'
import { readPackaged } from '../package/packaged.ts'
import { unzip } from '../package/unzip.ts'
import { type Figures, table } from './figures.ts'
import { buildRuntimeClient } from './runtime-client.ts'

// `npm run bench:cold-start`: each function's cold start, with the request that the rehearsal makes from its declaration,
// against that of a handler written by hand, under the real runtime client. The two take turns, so that whatever else the machine does
// meets both. `-- --runs 15` makes more of them, `-- --only register,login` measures these. Never in `npm test`.

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, only: { type: 'string', default: '' } },
})
const only = new Set(values.only.split(',').filter(Boolean))
await buildRuntimeClient()

const packaged = await readPackaged()
const stack = await startRehearsalStack()
const folder = await mkdtemp(join(tmpdir(), 'platform-bench-'))
const figures = new Map<string, Figures>()
try {
  await bundleBareHandler()
  for (const { name } of packaged.functions) {
    await unzip(packaged.zipOf(name), join(folder, name))
    figures.set(name, { kilobytes: Math.round((await stat(packaged.zipOf(name))).size / 1000), starts: [] })
  }
  const bareEvent = await httpEvent('PATCH /auth/kyc', {
    token: await userToken(),
    body: { userId: 'usr_1', kycStatus: 'VERIFIED' },
  })
  for (let run = 0; run < Number(values.runs); run += 1) {
    await rehearse({
      ...stack,
      functions: packaged.functions,
      invoke: ({ name }, event) => measure(name, event, bareEvent),
    })
    process.stderr.write('.')
  }
} finally {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(table(figures))

/** Starts a function and the bare handler one after the other; answers with what the function did. */
async function measure(name: string, event: unknown, bareEvent: unknown): Promise<unknown> {
  const deployed = packaged.functions.find((each) => each.name === name)
  const handler = packaged.lambdas[name]?.Handler
  if (!deployed || !handler) throw new Error(`There is no function ${name}`)
  const environment = environmentFor(deployed, stack.environment)
  const start = await coldStart(
    { taskRoot: join(folder, name), handler, environment, transport: 'compiled' },
    event,
  )
  if (only.size === 0 || only.has(name)) {
    const bare = { taskRoot: folder, handler: 'bare-handler.handler', environment: stack.environment }
    const { init, first, cpu } = await coldStart({ ...bare, transport: 'compiled' }, bareEvent)
    figures.get(name)?.starts.push({ ...start, bare: { init, first, cpu } })
  }
  return start.result
}

async function coldStart(options: LambdaOptions, event: unknown) {
  const lambda = await startLambda(options)
  try {
    const init = await lambda.initialized
    const outcome = await lambda.invoke(event)
    if (!('result' in outcome)) throw new Error(`${options.handler} failed: ${JSON.stringify(outcome)}`)
    const cpu = await cpuMilliseconds(lambda.processId)
    return { init, first: outcome.milliseconds, cpu, result: outcome.result }
  } finally {
    await lambda.stop()
  }
}

/** What all threads of a process have computed so far: other processes do not change it. */
async function cpuMilliseconds(processId: number): Promise<number> {
  const threads = await readdir(`/proc/${processId}/task`)
  const statistics = await Promise.all(
    // A thread may end before it is read: the one that drew a picture's pages, for instance.
    threads.map((thread) => readFile(`/proc/${processId}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  )
  return statistics.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0)
}

/** Bundled as well as ours are, without bytecode and with the SDK's own chain of credentials. */
async function bundleBareHandler(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-handler.ts')],
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    legalComments: 'none',
  })
}

async function userToken(): Promise<string> {
  const { AUTH_SIGNING_KEYS = '', AUTH_ISSUER = '' } = stack.environment
  const [key] = JSON.parse(AUTH_SIGNING_KEYS).keys
  return new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
    .setIssuer(AUTH_ISSUER)
    .setExpirationTime('1 h')
    .sign(await importJWK(key, 'EdDSA'))
}
