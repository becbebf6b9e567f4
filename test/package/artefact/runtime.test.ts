import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signStandardWebhook } from '#lib/kernel/signatures'
import type { DeployedFunction } from '#lib/package/functions'
import { type FunctionStack, startFunctionStack } from '#test/support/function-stack'
import { filePart, multipartBody } from '#test/support/multipart'
import { ask, askEach, registerAgent, type Stage } from '../ask-functions.ts'
import { type Lambda, startLambda } from '../lambda.ts'
import { type Packaged, readPackaged } from '../packaged.ts'
import { unzip } from '../unzip.ts'

/** How long asking all functions may take, each in a process of its own. */
const ASKING_MILLISECONDS = 6 * 60_000

describe('the zips under the real runtime client, but for its compiled part, which sends its requests', () => {
  let packaged: Packaged
  let stack: FunctionStack
  let folder: string
  /** What each function answered and wrote when it was asked, by its name. */
  const answers = new Map<string, unknown>()
  const outputs = new Map<string, string>()

  beforeAll(async () => {
    packaged = await readPackaged()
    stack = await startFunctionStack()
    folder = await mkdtemp(join(tmpdir(), 'platform-lambda-'))
    const stage = {
      ...stack,
      functions: packaged.functions,
      invoke: ({ name }: DeployedFunction, event: unknown) => run(name, event),
    }
    await askEach(stage, { width: availableParallelism() })
    await showPlan(stage)
    await callBack(stage)
  }, ASKING_MILLISECONDS)

  afterAll(async () => {
    await stack?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  /** Uploads a plan of one page to a listing, renders it and reads the listing. */
  async function showPlan(stage: Stage): Promise<void> {
    const { token } = await registerAgent(stage)
    const headers = { 'idempotency-key': randomUUID() }
    const listing = await ask(stage, 'POST /listings', {
      token,
      headers,
      body: { offer: 'rent', category: 'house' },
    })
    const id = String(listing['id'])
    const { items } = await ask(stage, 'POST /listings/{id}/media', {
      token,
      params: { id },
      headers: { 'content-type': 'multipart/form-data; boundary=plan' },
      rawBody: multipartBody('plan', [filePart(PLAN, { filename: 'plan.pdf', type: 'application/pdf' })]),
    })
    const [{ id: mediaId }] = items as [{ id: string }]
    await run('processPdfs', arrived(`originals/document/${id}/${mediaId}`))
    await ask(stage, 'GET /listings/{id}', { token, params: { id } })
  }

  /** Starts a payment and has its provider report it as paid. */
  async function callBack(stage: Stage): Promise<void> {
    const { token } = await registerAgent(stage)
    const price = { amount: 450_000, currency: 'XOF' }
    const { id: reference } = await ask(stage, 'POST /payments', {
      token,
      headers: { 'idempotency-key': randomUUID() },
      body: { provider: 'standard-webhooks', ...price, purpose: 'fee' },
    })
    const data = { id: randomUUID(), reference, ...price }
    const body = { type: 'payment.succeeded', timestamp: new Date().toISOString(), data }
    const headers = signStandardWebhook([stack.webhookSecret], {
      id: `msg_${randomUUID()}`,
      sentAtSeconds: Math.floor(Date.now() / 1000),
      rawBody: Buffer.from(JSON.stringify(body)),
    })
    const params = { provider: 'standard-webhooks' }
    await ask(stage, 'POST /payments/callback/{provider}', { params, headers, body })
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
    startLambda({
      taskRoot,
      handler: packaged.lambdas[name]?.Handler ?? '',
      environment,
      transport: 'node',
    })

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
    ])
  })

  it('are each asked once', () => {
    const left = packaged.functions.filter(({ name }) => !answers.has(name)).map(({ file }) => file)
    expect(left).toEqual([])
  })

  it('write lines of their own that are JSON from the first character, as the metric filters ask', async () => {
    const asked =
      outputs
        .get('getProfile')
        ?.split('\n')
        .find((line) => line.includes('"route"')) ?? ''
    expect(JSON.parse(asked)).toMatchObject({ route: 'GET /auth/profile', status: 200 })
    const calledBack =
      outputs
        .get('paymentCallback')
        ?.split('\n')
        .find((line) => line.includes('"provider"')) ?? ''
    expect(JSON.parse(calledBack)).toMatchObject({ durationMilliseconds: expect.any(Number) })

    const lambda = await start('followBans', await unpacked('followBans'))
    await lambda.invoke(null)
    await lambda.stop()
    const failed =
      lambda
        .output()
        .split('\n')
        .find((line) => line.includes('"level":"error"')) ?? ''
    expect(JSON.parse(failed)).toMatchObject({ level: 'error', job: 'followBans' })
    const patterns = Object.values(packaged.resources).flatMap(({ Type, Properties }) =>
      Type === 'AWS::Logs::MetricFilter' ? [`${Properties['FilterPattern']}`] : [],
    )
    expect(patterns.filter((pattern) => pattern.startsWith('{'))).toHaveLength(4)
    expect(patterns.join()).not.toMatch(/\$\.(?!level|job|route|status|provider)/)
  })

  it('hold the files of a bundle, and no source map', async () => {
    const names = await unzip(packaged.zipOf('login'), await mkdtemp(join(folder, 'names-')))
    expect(names.sort()).toEqual([
      'functions/accounts/sessions/login.cjs',
      'node_modules/loaded-later/lib/config/secrets.ssm.cjs',
    ])
  })

  it('do not start without a variable, and say which', async () => {
    const { TABLE_NAME: _, ...without } = variablesOf('register')
    const lambda = await start('register', await unpacked('register'), without)
    await expect(lambda.initialized).rejects.toThrow('TABLE_NAME is missing')
    await lambda.stop()
  })
})

const PLAN = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** A message of S3's notification that an object has arrived. */
const arrived = (key: string) => {
  const notification = { Records: [{ eventName: 'ObjectCreated:Put', s3: { object: { key } } }] }
  const attributes = { ApproximateReceiveCount: '1' }
  return { Records: [{ messageId: randomUUID(), attributes, body: JSON.stringify(notification) }] }
}
