import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openAccount } from '#lib/deploy/account'
import { accountValues } from '#lib/deploy/account-values'
import { readArguments } from '#lib/deploy/arguments'
import { requireFitting } from '#lib/deploy/fitting-parameters'
import { type ReleaseDeps, release } from '#lib/deploy/release'
import { mergeParameters } from '#lib/deploy/remembered-parameters'
import { originOf, smokeTest } from '#lib/deploy/smoke-test'
import { type LocalServer, listenLocally } from '#lib/local/local-server'
import { readParameters } from '#lib/package/parameters'
import { memoryParameterStore, type StoredValues } from '#test/support/parameter-store'

const ANSWERS: Readonly<Record<string, readonly [status: number, body: string]>> = {
  '/health': [200, '{"status":"ok"}'],
  '/auth/profile': [401, '{"code":"unauthenticated"}'],
  '/listings': [200, '{"items":[]}'],
  '/console': [200, '<!doctype html>'],
}

describe('a release', () => {
  const MEMORY = '/platform-api/prod/release-parameters'
  const ALARMS = ['ErrorsAlarm', 'FailingJobsAlarm', 'CrashesAlarm', 'StreamAgeAlarm', 'Gateway5xxAlarm']
  let stored: StoredValues
  let ran: [args: string[], alarms: string | undefined][]
  let resources: Map<string, string> | undefined

  beforeEach(async () => {
    stored = memoryParameterStore()
    ran = []
    resources = undefined
    const account = openAccount({ ssm: new SSMClient(), secrets: new SecretsManagerClient() })
    for (const value of accountValues('prod', {})) await account.create(value, 'text')
  })
  afterEach(() => void vi.restoreAllMocks())

  const run = (args: readonly string[], given: Partial<ReleaseDeps> = {}) =>
    release(readArguments(['--stage', 'prod', ...args], {}), {
      aws: {
        account: openAccount({ ssm: new SSMClient(), secrets: new SecretsManagerClient() }),
        whoAmI: async () => '123456789012',
        concurrency: async () => 1000,
        mayMailStrangers: async () => true,
        mailIdentity: async () => ({ isVerified: true, isSigned: true }),
      },
      readResources: async () => resources,
      readOutputs: async () => new Map([['FrontDomain', 'd1.cloudfront.net']]),
      prepareSearch: async (name) => void ran.push([['prepare', name], undefined]),
      serverless: async (args, { ROLLBACK_ALARMS }) => void ran.push([[...args], ROLLBACK_ALARMS]),
      fetch: async (address) => {
        const [status, body] = ANSWERS[new URL(`${address}`).pathname] ?? [404, '']
        return new Response(body, { status })
      },
      report: () => {},
      ...given,
    })
  const where = ['--stage', 'prod', '--region', 'eu-west-1']

  it('packages and deploys with the parameters of the last one, and remembers them for the next', async () => {
    stored.parameters.set(MEMORY, { Value: '{"wafAcl":"off"}', Type: 'String' })
    expect(await run(['--param', 'logLevel=warn'])).toEqual([])
    const packaged = ['package', ...where, '--param', 'wafAcl=off', '--param', 'logLevel=warn']
    expect(ran).toEqual([
      [packaged, undefined],
      [['deploy', '--force', '--package', '.serverless', ...where], ''],
    ])
    expect(stored.parameters.get(MEMORY)?.Value).toBe('{"wafAcl":"off","logLevel":"warn"}')
  })

  it('makes nothing where the account lacks a value, or a parameter is missing, and says how to get it', async () => {
    stored.parameters.delete('/platform-api/prod/hmac-keys')
    expect(await run([])).toEqual([
      expect.stringMatching(/web ACL.*--param wafAcl=off/s),
      expect.stringMatching(/hmac-keys.*npm run secrets/s),
    ])
    expect([ran, stored.parameters.has(MEMORY)]).toEqual([[], false])
  })

  it('is rolled back by four alarms of its own stack, unless it is told not to', async () => {
    resources = new Map(['Table', ...ALARMS].map((id) => [id, `platform-api-prod-${id}`]))
    await run(['--param', 'wafAcl=off'])
    await run(['--no-rollback'])
    const arn = (id: string) => `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:platform-api-prod-${id}`
    expect(ran.filter(([[command]]) => command === 'deploy').map(([, alarms]) => alarms)).toEqual([
      ALARMS.slice(0, 4).map(arn).join(','),
      '',
    ])
  })

  it('of a stage on a restored table is refused before anything is packaged, unless it names the table', async () => {
    resources = new Map([['LoginLambdaFunction', 'platform-api-prod-login']])
    await expect(run(['--param', 'wafAcl=off'])).rejects.toThrow('--param restoredTable=')
    expect(ran).toEqual([])
  })

  it('makes the snapshot of its searches after packaging and before deploying, and goes on without it', async () => {
    resources = new Map([
      ['Table', 'platform-api-prod-table'],
      ['RebuildSearchLambdaFunction', 'platform-api-prod-rebuildSearch'],
    ])
    await run(['--param', 'wafAcl=off'])
    expect(ran.map(([[command]]) => command)).toEqual(['package', 'prepare', 'deploy'])
    expect(ran[1]?.[0]).toEqual(['prepare', 'platform-api-prod-rebuildSearch'])
    const said: string[] = []
    const prepareSearch = () => Promise.reject(new Error('Task timed out'))
    expect(await run([], { prepareSearch, report: (line) => void said.push(line) })).toEqual([])
    expect(said.join()).toContain('may answer 503 for some minutes: Error: Task timed out')
  })

  it('that fails is not remembered', async () => {
    const serverless = async () => {
      throw new Error('serverless package ended with 1')
    }
    await expect(run(['--param', 'wafAcl=off'], { serverless })).rejects.toThrow('ended with 1')
    expect(stored.parameters.has(MEMORY)).toBe(false)
  })
})

describe('the smoke test of a release', () => {
  let server: LocalServer
  let isRefusing = false

  beforeAll(async () => {
    server = await listenLocally(0, ({ url = '' }, response) => {
      const [status, body] = (isRefusing ? undefined : ANSWERS[url]) ?? [500, 'Internal Server Error']
      response.writeHead(status).end(body)
    })
  })
  afterAll(() => server.stop())

  const test = (origin = `http://localhost:${server.port}`) =>
    smokeTest({ origin, fetch, attempts: 2, pauseMilliseconds: 1 })

  it('finds nothing where every route answers', async () => {
    isRefusing = false
    expect(await test()).toEqual([])
  })

  it('names every request that a gateway answers with 500', async () => {
    isRefusing = true
    expect(await test()).toEqual([
      expect.stringMatching(/GET .*\/health answered 500 instead of 200/),
      expect.stringMatching(/GET .*\/auth\/profile answered 500 instead of 401/),
      expect.stringMatching(/GET .*\/listings answered 500 instead of 200/),
      expect.stringMatching(/GET .*\/console answered 500 instead of 200/),
    ])
  })

  it('says why an address is not answered', async () => {
    expect(await test('http://localhost:1')).toContainEqual(
      expect.stringMatching(/health was not answered: .+/),
    )
  })

  it('calls the gateway itself where there is no front', () => {
    const address = 'https://abc.execute-api.eu-west-1.amazonaws.com'
    expect(originOf(new Map([['HttpApiUrl', address]]))).toBe(address)
    expect(originOf(new Map([['FrontDomain', 'd1.cloudfront.net']]))).toBe('https://d1.cloudfront.net')
  })
})

describe('a stack', () => {
  const stack = { region: 'eu-west-1', isRunning: true, remembered: {} }

  it('does not become ephemeral once it runs, and one that is stays it', () => {
    const ask = (given: Partial<typeof stack> & { remembered?: Record<string, string> }) => () =>
      requireFitting({ ephemeral: 'on' }, { ...stack, ...given })
    expect(ask({})).toThrow('only a new stage can be ephemeral')
    expect(ask({ isRunning: false })).not.toThrow()
    expect(ask({ remembered: { ephemeral: 'on' } })).not.toThrow()
  })

  it('takes no key of another region', () => {
    const kmsKey = (region: string) => `arn:aws:kms:${region}:123456789012:key/1234abcd`
    expect(() => requireFitting({ kmsKey: kmsKey('us-east-1') }, stack)).toThrow('not of eu-west-1')
    expect(() => requireFitting({ kmsKey: kmsKey('eu-west-1') }, stack)).not.toThrow()
  })
})

describe('the parameters of a release', () => {
  const remembered = { alertEmail: 'ops@example.com', corsOrigins: 'https://a.example,https://b.example' }

  it('hold from the last release where they are not given', () => {
    expect(mergeParameters(remembered, { params: [], drop: [] })).toEqual({
      merged: remembered,
      params: ['alertEmail=ops@example.com', 'corsOrigins=https://a.example,https://b.example'],
      differences: [],
    })
  })

  it('are added, changed and dropped, each with a line', () => {
    const params = ['logLevel=warn', 'corsOrigins=https://c.example/?a=b']
    const { merged, differences } = mergeParameters(remembered, { params, drop: ['alertEmail'] })
    expect(merged).toEqual({ corsOrigins: 'https://c.example/?a=b', logLevel: 'warn' })
    expect(differences).toEqual([
      '- alertEmail=ops@example.com',
      '~ corsOrigins=https://c.example/?a=b (was https://a.example,https://b.example)',
      '+ logLevel=warn',
    ])
  })

  it('may be given without those of the last release that they go together with', () => {
    const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/2'
    const domain = {
      domain: 'a.example',
      publicUrl: 'https://a.example',
      certificate: certificate.replace('/2', '/1'),
    }
    const given = { params: [`certificate=${certificate}`, 'budget=50'], drop: [] }
    const { merged, params } = mergeParameters({ ...remembered, ...domain }, given)
    expect(merged).toMatchObject({ domain: 'a.example', certificate, budget: '50' })
    expect(readParameters(params)).toMatchObject({ certificate, budget: 50 })
  })

  it('are empty where they are given without a value', () => {
    const { params } = mergeParameters(remembered, { params: ['corsOrigins'], drop: [] })
    expect(params).toEqual(['alertEmail=ops@example.com', 'corsOrigins='])
  })

  it('are not dropped where they are not remembered, or are given too', () => {
    const drop = (params: string[], name: string) => () =>
      mergeParameters(remembered, { params, drop: [name] })
    expect(drop([], 'domain')).toThrow('--drop domain: the last release had no such parameter')
    expect(drop(['alertEmail=a@example.com'], 'alertEmail')).toThrow('--drop alertEmail: it is given too')
  })
})
