import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DeployedFunction, readFunctions } from '#lib/package/functions'
import { readPackagedRoles } from '#lib/package/nested-templates'

const ROOT = join(import.meta.dirname, '../..')
const SERVERLESS = join(ROOT, 'node_modules/serverless/bin/serverless.js')

/** A resource of the CloudFormation template. */
export type Resource = {
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

/** A function as the template describes it. */
export type LambdaProperties = {
  FunctionName: string
  Handler: string
  Timeout: number
  Environment: { Variables: Record<string, unknown> }
  Role: { 'Fn::GetAtt': [string, string] }
  LoggingConfig: unknown
}

export type Packaged = {
  /** The folder of the copy that was packaged. */
  folder: string
  /** The CloudFormation template's resources. */
  resources: Record<string, Resource>
  /** The CloudFormation template's parameters. */
  parameters: Record<string, unknown>
  /** The role of each function, by the function's logical id. */
  roles: Record<string, Resource>
  /** Our functions in the template, by their names in serverless.yml. */
  lambdas: Record<string, LambdaProperties>
  /** What their specs say of them. */
  functions: DeployedFunction[]
  /** The zip of a function, by its name in serverless.yml. */
  zipOf: (name: string) => string
}

/** Copies what is packaged into a folder, with the packages of the original. Returns the folder. */
export async function copyService(folder: string): Promise<string> {
  for (const name of [
    'serverless.yml',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'functions',
    'lib',
  ])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * Runs `serverless package` on a copy of the service, with no credentials and nothing set, so that tests of
 * the same working tree do not meet in its output. Returns the copy's folder.
 */
export async function packageCopy(): Promise<string> {
  const copy = await copyService(await mkdtemp(join(tmpdir(), 'platform-package-')))
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  await symlink(join(ROOT, '.cache'), join(copy, '.cache'))
  const { PATH = '', HOME = '' } = process.env
  await promisify(execFile)(process.execPath, [SERVERLESS, 'package'], {
    cwd: copy,
    // esbuild is a Go program. With four times the garbage it takes a sixth less of the processor.
    env: { PATH, HOME, CI: 'true', GOGC: '400' },
  })
  return copy
}

/** Reads what was packaged in a copy of the service. */
export async function readPackaged(copy: string): Promise<Packaged> {
  const template = await readFile(join(copy, '.serverless/cloudformation-template-update-stack.json'), 'utf8')
  const { Resources: resources, Parameters: parameters } = JSON.parse(template) as {
    Resources: Record<string, Resource>
    Parameters: Record<string, unknown>
  }
  const lambdas = lambdasIn(resources)
  const definitions = Object.entries(lambdas).map(([name, { Handler }]) => [name, { handler: Handler }])
  return {
    folder: copy,
    resources,
    parameters,
    roles: await readPackagedRoles(join(copy, '.serverless')),
    lambdas,
    functions: await readFunctions(ROOT, Object.fromEntries(definitions)),
    zipOf: (name) => join(copy, '.serverless', `${name}.zip`),
  }
}

/** Those of osls itself, which carry its notifications to buckets, are left out. */
const lambdasIn = (resources: Record<string, Resource>): Record<string, LambdaProperties> =>
  Object.fromEntries(
    Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => Properties as LambdaProperties)
      .filter(({ Handler }) => Handler.startsWith('functions/'))
      .map((lambda) => [lambda.FunctionName.replace('platform-api-dev-', ''), lambda]),
  )
