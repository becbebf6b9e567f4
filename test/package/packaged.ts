import { cp, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeployedFunction, readFunctions } from '#lib/package/functions'
import { readPackagedRoles } from '#lib/package/nested-templates'

export const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, '.serverless')

/** A resource of the CloudFormation template. */
export type Resource = {
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

/** A function as the template describes it. */
type LambdaProperties = {
  FunctionName: string
  Handler: string
  Timeout: number
  Environment: { Variables: Record<string, unknown> }
  Role: { 'Fn::GetAtt': [string, string] }
  LoggingConfig: unknown
}

export type Packaged = {
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

/** Reads what `npm run package` has left in this checkout. */
export async function readPackaged(): Promise<Packaged> {
  const template = await readFile(join(PACKAGE, 'cloudformation-template-update-stack.json'), 'utf8')
  const { Resources: resources, Parameters: parameters } = JSON.parse(template) as {
    Resources: Record<string, Resource>
    Parameters: Record<string, unknown>
  }
  const lambdas = lambdasIn(resources)
  const definitions = Object.entries(lambdas).map(([name, { Handler }]) => [name, { handler: Handler }])
  return {
    resources,
    parameters,
    roles: await readPackagedRoles(PACKAGE),
    lambdas,
    functions: await readFunctions(ROOT, Object.fromEntries(definitions)),
    zipOf: (name) => join(PACKAGE, `${name}.zip`),
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
