import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { resourcesOf, type Template } from '../../package/template/template.ts'
import { runCommand } from '../arguments.ts'
import { type AwsStandIn, startAws } from '../rehearsal/aws-stand-in.ts'

// `npm run rehearse-deploy`: deploys two stages, one of them several times, against a stand-in of AWS on this machine. Runs
// the commands of the operator's book, with every option. AWS's offline validator checks each template. Bytecode takes
// minutes and is left to other tests.

const FOLDER = import.meta.dirname
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')
const MAIL_FROM = 'mailFrom=no-reply@example.com'
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
const WEB_ACL =
  'arn:aws:wafv2:us-east-1:123456789012:global/webacl/web-acl/12345678-1234-1234-1234-123456789012'
const RUNTIME = `arn:aws:lambda:eu-west-1::runtime:${'0'.repeat(64)}`

const withParams = (...params: string[]): string[] => params.flatMap((each) => ['--param', each])
const OPTIONS = withParams(
  'domain=api.example.com',
  `certificate=${CERTIFICATE}`,
  'publicUrl=https://api.example.com',
  `wafAcl=${WEB_ACL}`,
  'corsOrigins=https://www.example.com',
  'functionUrl=on',
  'concurrency=shared',
  `runtimeVersion=${RUNTIME}`,
  'alertEmail=ops@example.com',
  'logLevel=warn',
  'budget=200',
  'throttleRate=800',
)
const WITHOUT_OPTIONAL_PARTS = withParams(
  'front=off',
  'console=external',
  'documentsLockDays=30',
  'documentsLogDays=365',
)

/** Runs a command of this folder against the stand-in. Returns its exit code and its output. */
const run = (aws: AwsStandIn, command: string, ...args: string[]) =>
  runScript(aws, `npm run ${command} --`, join(FOLDER, `${command}.ts`), args)

async function runScript(aws: AwsStandIn, label: string, script: string, args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, HOME, CI: 'true', ...aws.environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  console.log(`${code === 0 ? '✓' : '·'} ${label} ${args.join(' ')}`)
  return { code, output }
}

const succeed = async (aws: AwsStandIn, command: string, ...args: string[]): Promise<string> => {
  const { code, output } = await run(aws, command, ...args)
  assert.equal(code, 0, `${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** Runs a command that must fail with this message before it makes anything. */
async function refuse(aws: AwsStandIn, message: RegExp, command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(aws, command, ...args)
  assert.notEqual(code, 0, `${command} ${args.join(' ')} did not stop`)
  assert.match(output, message)
}

/** Returns the template that a stage was deployed with last. */
function templateOf(aws: AwsStandIn, stage: string): Template {
  const template = aws.deployed(`platform-api-${stage}`)
  assert.ok(template, `${stage} was not deployed`)
  return template
}

function examine(aws: AwsStandIn, stage: string): void {
  const template = templateOf(aws, stage)
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
  assert.ok(functions.length > 60)
  for (const [id, { Properties }] of functions) {
    const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> }
    if ('STAGE' in Variables) assert.equal(Variables['STAGE'], stage, id)
    assert.match(`${Properties['FunctionName']}`, new RegExp(`^platform-api-${stage}-`))
  }
  for (const kept of ['Table', 'MediaBucket', 'DocumentsBucket']) {
    assert.equal(template.Resources[kept]?.DeletionPolicy, 'RetainExceptOnCreate', kept)
  }
  assert.equal(template.Resources['Table']?.Properties['DeletionProtectionEnabled'], true)
  assert.ok(template.Resources['Alerts'])
}

/** Examines a stage with CloudFront and every option: each option is in its place. */
function examineOptions(aws: AwsStandIn, stage: string): void {
  const template = templateOf(aws, stage)
  assert.partialDeepStrictEqual(template.Resources['Front']?.Properties['DistributionConfig'], {
    Aliases: ['api.example.com'],
    ViewerCertificate: { AcmCertificateArn: CERTIFICATE },
    WebACLId: WEB_ACL,
  })
  assert.ok('CorsConfig' in headersPolicyOf(template))
  assert.equal(resourcesOf(template, 'AWS::Lambda::Url').length, 1)
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    assert.equal(Properties['ReservedConcurrentExecutions'], undefined, id)
    assert.partialDeepStrictEqual(Properties['RuntimeManagementConfig'], { RuntimeVersionArn: RUNTIME }, id)
  }
}

const headersPolicyOf = ({ Resources }: Template): object =>
  Resources['FrontHeadersPolicy']?.Properties['ResponseHeadersPolicyConfig'] as object

/** Examines a stage without the optional parts, and with documents under Object Lock. */
function examineWithout(aws: AwsStandIn, stage: string): void {
  const { Resources } = templateOf(aws, stage)
  assert.deepEqual(
    ['Front', 'FrontCachePolicy', 'ConsoleUserPool'].filter((id) => id in Resources),
    [],
  )
  assert.equal(Resources['DocumentsBucket']?.Properties['ObjectLockEnabled'], true)
  assert.ok('DocumentsLogBucket' in Resources)
}

/** Stores the values that only the operator knows, as `doctor` demands. */
async function storeByHand(aws: AwsStandIn, values: Record<string, string>): Promise<void> {
  const { AWS_ENDPOINT_URL: endpoint = '' } = aws.environment
  const ssm = new SSMClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  })
  for (const [Name, Value] of Object.entries(values))
    await ssm.send(new PutParameterCommand({ Name, Value, Type: 'String' }))
  ssm.destroy()
}

const codeOf = (aws: AwsStandIn, stage: string): unknown =>
  resourcesOf(templateOf(aws, stage), 'AWS::Lambda::Function').map(([id, { Properties }]) => [
    id,
    Properties['Code'],
  ])

/**
 * Gives a stage a restored table and makes the table part of the stack, as the operator's book says. Then releases it
 * with every option.
 */
async function restore(aws: AwsStandIn): Promise<void> {
  const table = 'arn:aws:dynamodb:eu-west-1:123456789012:table/prod-restored'
  const restored = ['--stage', 'prod', '--param', `restoredTable=${table}/stream/2026-11-22T07:00:00.000`]
  const deployed = () => JSON.stringify(aws.deployed('platform-api-prod'))
  await refuse(aws, /has the table Table already/, 'import-table', ...restored)
  await succeed(aws, 'release', ...restored, '--no-bytecode', '--no-rollback')
  // `--no-rollback` deploys without the four alarms that would roll the deployment back.
  assert.equal(aws.rollbackAlarms('platform-api-prod'), 0)
  assert.doesNotMatch(deployed(), /"Ref":"Table"|"Table",|\$\{Table\b/)
  assert.match(deployed(), /"TABLE_NAME":"prod-restored"/)
  assert.match(deployed(), /"EventSourceArn":"[^"]+prod-restored\/stream\/2026-11-22T07:00:00.000"/)
  await refuse(aws, /restoredTable=/, 'release', '--stage', 'prod', '--drop', 'restoredTable')
  await succeed(aws, 'import-table', ...restored)
  assert.match(await succeed(aws, 'release', '--stage', 'prod', '--no-bytecode', ...OPTIONS), /~ wafAcl=arn/)
  assert.equal(aws.rollbackAlarms('platform-api-prod'), 4)
  examine(aws, 'prod')
}

const FORGOTTEN_CODE = `serverless/platform-api/prod/code-artifacts/login-${'0'.repeat(64)}.zip`

/** Examines the artefacts: each deployment has its bill of materials, and code that no deployment names is gone. */
async function examineArtifacts(aws: AwsStandIn): Promise<void> {
  const keys = await aws.keys()
  const count = (file: string): number => keys.filter((key) => key.endsWith(`/${file}`)).length
  assert.ok(count('bill-of-materials.cdx.json') > 1)
  assert.equal(count('bill-of-materials.cdx.json'), count('compiled-cloudformation-template.json'))
  assert.ok(!keys.includes(FORGOTTEN_CODE))
}

/** Runs a command of osls (a fork of the Serverless Framework) against the stand-in. */
async function serverless(aws: AwsStandIn, stage: string, ...args: string[]): Promise<string> {
  const { code, output } = await runScript(aws, 'npx serverless', SERVERLESS, [...args, '--stage', stage])
  assert.equal(code, 0, output)
  return output
}

/** Rolls a stage back to its first deployment: the code of that deployment is still stored. */
async function rollBack(aws: AwsStandIn): Promise<void> {
  const [, timestamp = ''] = /Timestamp: (\d+)/.exec(await serverless(aws, 'prod', 'deploy', 'list')) ?? []
  await serverless(aws, 'prod', 'rollback', '--timestamp', timestamp)
  // The first deployment had no domain.
  const { DistributionConfig } = templateOf(aws, 'prod').Resources['Front']?.Properties ?? {}
  assert.ok(!('Aliases' in (DistributionConfig as object)))
}

/** Tears a stage down as the operator's book says. The other stage stays. */
async function tearDown(aws: AwsStandIn): Promise<void> {
  await serverless(aws, 'pilot', 'remove')
  assert.equal(aws.deployed('platform-api-pilot'), undefined)
  const keys = await aws.keys()
  assert.deepEqual(
    keys.filter((key) => key.includes('/pilot/')),
    [],
  )
  assert.ok(keys.some((key) => key.includes('/prod/')))
  examine(aws, 'prod')
}

await runCommand(async () => {
  const aws = await startAws()
  try {
    await refuse(aws, /Say which stage/, 'release')
    await refuse(aws, /frnt is not known/, 'release', '--stage', 'prod', '--param', 'frnt=off')
    await refuse(aws, /npm run secrets/, 'release', '--stage', 'prod')
    assert.equal(aws.deployed('platform-api-prod'), undefined)

    await succeed(aws, 'secrets', '--stage', 'prod', '--write', '--param', MAIL_FROM)
    assert.match(await succeed(aws, 'secrets', '--stage', 'prod', '--write'), /hmac-keys is there/)
    await succeed(aws, 'doctor', '--stage', 'prod', '--param', 'wafAcl=off')
    await refuse(aws, /which step and which key/, 'rotate', 'forget', 'hmac-keys', '--stage', 'prod')
    await refuse(aws, /add another first/, 'rotate', 'use', 'hmac-keys', '--stage', 'prod', '--write')
    for (const step of ['add', 'use', 'drop'])
      await succeed(aws, 'rotate', step, 'auth-signing-keys', '--stage', 'prod', '--write')
    await refuse(aws, /wafAcl=off/, 'release', '--stage', 'prod', '--no-bytecode')
    await succeed(aws, 'release', '--stage', 'prod', '--no-bytecode', '--param', 'wafAcl=off')
    examine(aws, 'prod')
    const first = codeOf(aws, 'prod')
    await aws.putObject(FORGOTTEN_CODE, 'of a deployment that is forgotten')
    await restore(aws)
    await examineArtifacts(aws)
    examineOptions(aws, 'prod')
    assert.deepEqual(codeOf(aws, 'prod'), first, 'A release of unchanged sources replaces code')
    await rollBack(aws)
    assert.deepEqual(codeOf(aws, 'prod'), first)

    await refuse(
      aws,
      /console-issuer/,
      'secrets',
      '--stage',
      'pilot',
      '--write',
      '--param',
      MAIL_FROM,
      ...WITHOUT_OPTIONAL_PARTS,
    )
    await refuse(aws, /console-issuer/, 'release', '--stage', 'pilot', ...WITHOUT_OPTIONAL_PARTS)
    await storeByHand(aws, {
      '/platform-api/pilot/console-issuer': 'https://id.example.com',
      '/platform-api/pilot/console-audience': 'console',
    })
    // A first release that fails leaves a stack with the bucket of its artefacts alone. The next one succeeds.
    aws.failNext('platform-api-pilot')
    const pilot = ['--stage', 'pilot', '--no-bytecode', ...WITHOUT_OPTIONAL_PARTS]
    await refuse(aws, /The account refuses it/, 'release', ...pilot)
    assert.deepEqual(resourcesOf(templateOf(aws, 'pilot'), 'AWS::Lambda::Function'), [])
    await succeed(aws, 'release', ...pilot)
    examine(aws, 'pilot')
    examineWithout(aws, 'pilot')
    await tearDown(aws)
    assert.deepEqual(aws.unknown, [])
    return true
  } finally {
    await aws.stop()
  }
})
