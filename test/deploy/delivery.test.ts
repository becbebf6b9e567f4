import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { readArguments } from '#lib/deploy/arguments'
import { readGuides } from '#lib/docs/guide-list'
import { readParameters } from '#lib/package/parameters'

const ROOT = join(import.meta.dirname, '../..')
const oneOrMore = <Value extends z.ZodType>(value: Value) => z.union([value, z.array(value)])
const Statement = z.object({
  Sid: z.string(),
  Effect: z.literal('Allow'),
  Action: oneOrMore(z.string()),
  Resource: oneOrMore(z.string()),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
})
const Deployer = z.object({
  Resources: z.object({
    Deployer: z.object({
      Properties: z.object({
        AssumeRolePolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
        Policies: z.tuple([z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })]),
      }),
    }),
  }),
})
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const Workflow = z.object({
  concurrency: z.object({ 'cancel-in-progress': z.literal(false) }),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.string().optional(),
      environment: z.string().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(Step),
    }),
  ),
})

const readYaml = async (path: string): Promise<unknown> =>
  parse(await readFile(join(ROOT, path), 'utf8'), { logLevel: 'silent' })
const deployer = async () => {
  const { Properties } = Deployer.parse(await readYaml('lib/deploy/deployer.yml')).Resources.Deployer
  return {
    trust: Properties.AssumeRolePolicyDocument.Statement,
    statements: Properties.Policies[0].PolicyDocument.Statement,
  }
}
type Statement = z.infer<typeof Statement>
const isThroughCloudFormation = ({ Condition }: Statement): boolean =>
  Condition?.['ForAnyValue:StringEquals']?.['aws:CalledVia'] === 'cloudformation.amazonaws.com'
const actionsOf = (statements: readonly Statement[]): string[] => statements.flatMap(({ Action }) => Action)

/** What a release asks of AWS: osls of CloudFormation and S3, our commands of the rest. */
const ASKED = [
  ...[
    'DescribeStacks',
    'ValidateTemplate',
    'CreateChangeSet',
    'DescribeChangeSet',
    'ExecuteChangeSet',
    'DeleteChangeSet',
    'GetTemplate',
    'SetStackPolicy',
    'ListExports',
    'DescribeStackEvents',
    'DescribeStackResource',
    'ListStackResources',
  ].map((action) => `cloudformation:${action}`),
  ...['s3:ListBucket', 's3:GetObject', 's3:PutObject', 's3:DeleteObject'],
  ...['ssm:GetParameter', 'ssm:PutParameter', 'secretsmanager:DescribeSecret'],
  ...['ses:GetEmailIdentity', 'ses:GetAccount', 'lambda:GetAccountSettings', 'sts:GetCallerIdentity'],
]

describe('the role of a deployer', () => {
  it('may ask by itself for what osls and the commands of a release ask, and neither removes stacks nor makes secrets', async () => {
    const { statements } = await deployer()
    const direct = actionsOf(statements.filter((statement) => !isThroughCloudFormation(statement)))
    expect(ASKED.filter((action) => !direct.includes(action))).toEqual([])
    // People tear stages down, and make the secret by `npm run secrets`.
    expect(direct).not.toContain('cloudformation:DeleteStack')
    expect(direct).not.toContain('secretsmanager:CreateSecret')
  })

  it('may do whatever a service can through CloudFormation only', async () => {
    const { statements } = await deployer()
    const direct = statements.filter((statement) => !isThroughCloudFormation(statement))
    expect(actionsOf(direct).filter((action) => action.includes('*'))).toEqual([])
    const named = statements.find(({ Sid }) => Sid === 'NamedByStage')
    expect([named?.Resource ?? []].flat().filter((arn) => !arn.includes('platform-api-${Stage}'))).toEqual([])
    expect(
      actionsOf(statements).filter((action) => /^(\*|iam:(\*|Attach|.*User|.*AccessKey))/.test(action)),
    ).toEqual([])
  })

  it('is taken by jobs of its own repository’s environment alone', async () => {
    const { trust } = await deployer()
    expect(trust).toMatchObject([
      {
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': 'repo:${Repository}:environment:${Stage}',
          },
        },
      },
    ])
  })
})

describe('the workflow of the operator’s book', () => {
  const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
  const [, text = ''] = /```yaml\n([\s\S]+?)```/.exec(book) ?? []
  const workflow = Workflow.parse(parse(text))
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))

  it('runs nothing but the checks, the installation and the book’s own commands', async () => {
    expect(commands).toEqual([
      '.ci/run',
      'npm ci',
      'npm run doctor -- --stage prod',
      'npm run release -- --stage prod',
    ])
    await access(join(ROOT, '.ci/run'))
    for (const command of commands.filter((each) => each.includes(' -- '))) {
      const { stage, params } = readArguments(command.split(' ').slice(4), {})
      expect(stage).toBe('prod')
      expect(() => readParameters(params)).not.toThrow()
    }
  })

  it('releases what was checked, in the environment that the role trusts and with a token of that job alone', () => {
    const { check, release } = workflow.jobs
    expect(release).toMatchObject({
      needs: 'check',
      environment: 'prod',
      permissions: { 'id-token': 'write' },
    })
    expect(check?.permissions).toBeUndefined()
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const credentials = release?.steps.find(({ uses }) => uses?.startsWith('aws-actions/'))?.with
    expect(credentials).toEqual({ 'role-to-assume': '${{ vars.DEPLOYER_ROLE }}', 'aws-region': 'eu-west-1' })
    const node = Object.values(workflow.jobs).map(
      ({ steps }) => steps.find(({ uses }) => uses?.startsWith('actions/setup-node'))?.with?.['node-version'],
    )
    expect(node).toEqual([24, 24])
  })
})

it('Updates are asked for of every dependency and every action.', async () => {
  const Updates = z.object({
    version: z.literal(2),
    updates: z.array(z.object({ 'package-ecosystem': z.string(), directory: z.literal('/') })),
  })
  const { updates } = Updates.parse(await readYaml('.github/dependabot.yml'))
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions'])
})
