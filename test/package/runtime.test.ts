import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#lib/http/route'
import { httpEvent } from '#lib/package/rehearsal/http-event'
import { rehearse } from '#lib/package/rehearsal/rehearse'
import { type RehearsalStack, startRehearsalStack } from '#lib/package/rehearsal/stack'
import { bodyOf, type RehearsedRequest } from '#lib/package/rehearsal/stage'
import { type Lambda, startLambda } from './lambda.ts'
import { type Packaged, packageCopy } from './packaged.ts'
import { builtRuntimeClient } from './runtime-client.ts'
import { unzip } from './unzip.ts'

const PATIENCE_MILLISECONDS = 6 * 60_000

const client = await builtRuntimeClient()
const runtimeClient = 'path' in client ? client.path : ''
if ('missing' in client) console.warn(`The zips are not run: ${client.missing}`)

it.runIf(process.env['CI'])('has the real runtime client where it counts', () => {
  expect(client).toHaveProperty('path')
})

describe.runIf(runtimeClient)('the zips under the real runtime client', () => {
  let packaged: Packaged
  let stack: RehearsalStack
  let folder: string
  /** What each function answered and wrote when it was rehearsed, by its name. */
  const answers = new Map<string, unknown>()
  const outputs = new Map<string, string>()

  beforeAll(async () => {
    packaged = await packageCopy()
    stack = await startRehearsalStack()
    folder = await mkdtemp(join(tmpdir(), 'platform-lambda-'))
    await rehearse({ ...stack, functions: packaged.functions, ask, run })
  }, PATIENCE_MILLISECONDS)

  afterAll(async () => {
    await stack?.stop()
    await packaged?.remove()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  async function ask(route: Route, request: RehearsedRequest = {}): Promise<unknown> {
    const deployed = packaged.functions.find(({ routes }) => routes.includes(route))
    return bodyOf(route, request, await run(deployed?.name ?? '', await httpEvent(route, request)))
  }

  async function run(name: string, event: unknown): Promise<unknown> {
    const lambda = await start(name, await unpacked(name))
    try {
      const outcome = await lambda.invoke(event)
      if (!('result' in outcome)) throw new Error(`${name} failed: ${JSON.stringify(outcome)}`)
      answers.set(name, outcome.result)
      outputs.set(name, lambda.output())
      return outcome.result
    } finally {
      await lambda.stop()
    }
  }

  /** Outside the repository, where no package can be found by going up. */
  async function unpacked(name: string): Promise<string> {
    const taskRoot = await mkdtemp(join(folder, `${name}-`))
    await unzip(packaged.zipOf(name), taskRoot)
    return taskRoot
  }

  const start = (name: string, taskRoot: string, environment = variablesOf(name)): Promise<Lambda> =>
    startLambda({ taskRoot, handler: packaged.lambdas[name]?.Handler ?? '', environment, runtimeClient })

  /** The variables that the template gives it and nothing else, with the values of a developer's machine. */
  function variablesOf(name: string): Record<string, string> {
    const given = Object.keys(packaged.lambdas[name]?.Environment.Variables ?? {})
    const inline = new Set(given.map((variable) => variable.replace(/_(PARAMETER|SECRET|URI)$/, '')))
    return Object.fromEntries(
      Object.entries(stack.environment).filter(
        ([variable]) => inline.has(variable) || variable.startsWith('AWS_'),
      ),
    )
  }

  it('answer with nothing but the variables that their functions read', async () => {
    const areas = [...answers.keys()].map((name) => packaged.lambdas[name]?.Handler.split('/')[1])
    expect([...new Set(areas)].sort()).toEqual((await readdir('functions')).sort())
    expect(answers.get('register')).toMatchObject({ statusCode: 201 })
    expect(answers.get('paymentCallback')).toMatchObject({ statusCode: 200 })
    expect(answers.get('health')).toMatchObject({
      statusCode: 200,
      headers: { 'x-content-type-options': 'nosniff' },
    })
  })

  it('draw the pages of a PDF with the WebAssembly that is in the zip', () => {
    const { body } = answers.get('getListing') as { body: string }
    expect(JSON.parse(body).media).toMatchObject([
      { kind: 'document', status: 'READY', variants: [{ page: 1, width: 1920 }] },
      { kind: 'image', status: 'READY' },
    ])
  })

  it('are asked once each by lib/package/rehearsal, which their bytecode is made by', () => {
    const left = packaged.functions.filter(({ name }) => !answers.has(name)).map(({ file }) => file)
    expect(left, 'Ask these in lib/package/rehearsal/: they start a third slower').toEqual([])
  })

  it('start from their bytecode', () => {
    const compiled = [...outputs].filter(([, output]) => output.includes('compiled as usual'))
    expect(compiled.map(([name]) => name)).toEqual([])
  })

  it('hold a loader, a bundle and bytecode, and no source map', async () => {
    const names = await unzip(packaged.zipOf('login'), await mkdtemp(join(folder, 'names-')))
    expect(names).toEqual([
      'functions/accounts/login.cjs',
      'functions/accounts/login.js',
      `functions/accounts/login.${process.version}-${process.arch}.bytecode`,
    ])
  })

  it('do not start without a variable, and say which', async () => {
    const { TABLE_NAME: _, ...without } = variablesOf('register')
    const lambda = await start('register', await unpacked('register'), without)
    await expect(lambda.initialized).rejects.toThrow('TABLE_NAME is missing')
    await lambda.stop()
  })

  it('compile as usual where the bytecode is for another runtime, and say so once', async () => {
    const taskRoot = await unpacked('health')
    const area = join(taskRoot, 'functions/service')
    const bytecode = (await readdir(area)).filter((name) => name.endsWith('.bytecode'))
    for (const name of bytecode) await rm(join(area, name))
    const lambda = await start('health', taskRoot)
    const outcome = await lambda.invoke(await httpEvent('GET /health', {}))
    expect(outcome).toMatchObject({ result: { statusCode: 200 } })
    expect(lambda.output().match(/compiled as usual/g)).toHaveLength(1)
    await lambda.stop()
  })
})
