import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { DeployedFunction } from './functions.ts'
import type { Statement } from './grants.ts'
import type { Bundles } from './package.ts'
import type { QueuedEvents } from './queued-events.ts'
import type { DeployOptions } from './release-stage.ts'
import type { Template } from './template/template.ts'

// The members of osls (a fork of the Serverless Framework) that this plugin uses; osls does not type them.
type FunctionDefinition = {
  name: string
  handler: string
  events: Record<string, unknown>[]
  timeout?: number
  environment?: unknown
  role?: unknown
  package?: { artifact: string }
}
type Serverless = {
  serviceDir: string
  getProvider: (name: 'aws') => {
    naming: { getStackName: () => string }
    getServerlessDeploymentBucketName: () => Promise<string>
    getAwsSdkV3Config: () => Promise<S3ClientConfig>
  }
  service: {
    package: {
      /** The folder of this deployment in the bucket: its name has the time. */
      artifactDirectoryName: string
      /** The folder in the bucket that all deployments of the stage share. */
      artifactsS3KeyDirname: string
    }
    custom: {
      variables: Record<string, unknown>
      grants: Record<string, readonly Statement[]>
    }
    provider: {
      architecture?: string
      stage: string
      region: string
      timeout: number
      rollbackConfiguration?: unknown
      shouldNotDeploy?: boolean
      compiledCloudFormationTemplate: Template
    }
    functions: Record<string, FunctionDefinition>
  }
}
type Log = { notice: (message: string) => void; warning: (message: string) => void }

/**
 * The osls plugin of the build. At `serverless package` and `serverless deploy` each function gets the variables that
 * its spec reads. Its role and its zip hold no more than the function uses. Other commands, such as `offline`, are
 * unchanged.
 */
function packaging(serverless: Serverless, options: DeployOptions, { log }: { log: Log }) {
  let functions: DeployedFunction[] = []
  let queued: QueuedEvents | undefined
  let bundles: Bundles = {}
  let zips: Record<string, string> = {}
  return {
    hooks: {
      'before:deploy:deploy': async () => {
        const { requireSameStage } = await import('./release-stage.ts')
        await requireSameStage(serverless.serviceDir, options)
        rollBackBy(serverless, process.env['ROLLBACK_ALARMS'])
      },
      'after:package:finalize': async () => {
        const { noteStage } = await import('./release-stage.ts')
        const { stage, region } = serverless.service.provider
        const folder = join(serverless.serviceDir, '.serverless')
        await noteStage(folder, { stage, region })
        await writeBillOfMaterials(folder)
      },
      'before:package:initialize': async () => {
        const { readFunctions } = await import('./functions.ts')
        functions = await readFunctions(serverless.serviceDir, serverless.service.functions)
        // Native libraries are those of the machine that packages.
        serverless.service.provider.architecture ??= process.arch === 'arm64' ? 'arm64' : 'x86_64'
        const { queueEvents } = await import('./queued-events.ts')
        const { service } = serverless
        queued = queueEvents(service.functions, service.provider.timeout)
        // For the function that dispatches changes of the table to the queues.
        service.custom.variables['CHANGE_ROUTES'] = queued.routes
        for (const [name, statements] of Object.entries(queued.grants)) {
          service.custom.grants[name] = [...(service.custom.grants[name] ?? []), ...statements]
        }
        await giveEnvironments(serverless, functions)
      },
      'after:package:initialize': async () => {
        const { bundleAll } = await import('./package.ts')
        bundles = await bundleAll(serverless.serviceDir, functions)
        await giveRoles(serverless, functions)
      },
      'before:package:createDeploymentArtifacts': async () => {
        const { packageFunctions } = await import('./package.ts')
        const { serviceDir: root, service } = serverless
        zips = await packageFunctions({
          root,
          functions,
          bundles,
          zips: join(root, '.serverless'),
          cpu: service.provider.architecture === 'arm64' ? 'arm64' : 'x64',
        })
        for (const [name, artifact] of Object.entries(zips)) {
          Object.assign(service.functions[name] ?? {}, { package: { artifact } })
        }
      },
      'after:aws:package:finalize:mergeCustomProviderResources': async () => {
        const { completeTemplate } = await import('./template/complete.ts')
        const { readParameters } = await import('./parameters.ts')
        const { compiledCloudFormationTemplate } = serverless.service.provider
        const folder = serverless.service.package.artifactsS3KeyDirname
        const roles = completeTemplate(compiledCloudFormationTemplate, {
          stackName: stackNameOf(serverless),
          parameters: readParameters([options.param ?? []].flat()),
          queues: queued?.queues ?? [],
          schedules: queued?.schedules ?? [],
          folder,
        })
        const { nameCodeByContent } = await import('./code-objects.ts')
        const { writeRoleTemplate } = await import('./nested-templates.ts')
        await writeRoleTemplate(join(serverless.serviceDir, '.serverless'), roles)
        await nameCodeByContent(compiledCloudFormationTemplate, {
          stackName: stackNameOf(serverless),
          folder,
          zips,
        })
      },
      'after:aws:deploy:deploy:uploadArtifacts': () => storeArtifacts(serverless, options),
      'before:aws:deploy:finalize:cleanup': () => pruneArtifacts(serverless, log),
    },
  }
}

// osls loads a plugin with `require()`, which returns the export of an ES module that is named `module.exports`.
export { packaging as 'module.exports' }

async function giveEnvironments({ service }: Serverless, functions: readonly DeployedFunction[]) {
  const { environmentOf } = await import('./environment.ts')
  for (const deployed of functions) {
    const definition = service.functions[deployed.name]
    if (definition) definition.environment = environmentOf(deployed, service.custom.variables)
  }
}

/**
 * Lets CloudFormation roll a deployment back when an alarm goes off during or just after it. `alarms` holds ARNs,
 * separated by commas. If it is undefined, CloudFormation keeps the alarms of the deployment before; an empty text
 * removes them.
 */
function rollBackBy({ service }: Serverless, alarms: string | undefined): void {
  if (alarms === undefined) return
  const arns = alarms.split(',').filter(Boolean)
  service.provider.rollbackConfiguration = {
    MonitoringTimeInMinutes: arns.length > 0 ? 10 : 0,
    RollbackTriggers: arns.map((Arn) => ({ Arn, Type: 'AWS::CloudWatch::Alarm' })),
  }
}

const BILL_OF_MATERIALS = 'bill-of-materials.cdx.json'

/** Writes what the lock file installs, in CycloneDX. A property marks what only the build uses. */
async function writeBillOfMaterials(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    { cwd: join(folder, '..'), maxBuffer: 64 * 1024 * 1024 },
  )
  await writeFile(join(folder, BILL_OF_MATERIALS), stdout)
}

/**
 * Stores zips and nested templates under the keys that the template names, and the bill of materials in the folder of its
 * deployment, which osls removes as a whole. Does nothing if osls found nothing to deploy.
 */
async function storeArtifacts(serverless: Serverless, options: DeployOptions): Promise<void> {
  const { provider, package: uploads } = serverless.service
  if (provider.shouldNotDeploy) return
  const [{ S3Client }, { copyCode, storeFiles }, { roleTemplateFile }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('./code-objects.ts'),
    import('./nested-templates.ts'),
  ])
  const aws = serverless.getProvider('aws')
  const bucket = await aws.getServerlessDeploymentBucketName()
  const s3 = new S3Client(await aws.getAwsSdkV3Config())
  await copyCode(s3, provider.compiledCloudFormationTemplate, {
    bucket,
    uploaded: uploads.artifactDirectoryName,
  })
  const packaged = join(serverless.serviceDir, options.package ?? '.serverless')
  await storeFiles(s3, bucket, {
    ...roleTemplateFile(provider.compiledCloudFormationTemplate, packaged),
    [`${uploads.artifactDirectoryName}/${BILL_OF_MATERIALS}`]: join(packaged, BILL_OF_MATERIALS),
  })
}

/** Removes code that only removed deployments used. A failure is only reported, since this deployment has succeeded. */
async function pruneArtifacts(serverless: Serverless, log: Log): Promise<void> {
  const { provider, package: uploads } = serverless.service
  if (provider.shouldNotDeploy) return
  const [{ S3Client }, { pruneCode }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('./code-objects.ts'),
  ])
  const aws = serverless.getProvider('aws')
  const s3 = new S3Client(await aws.getAwsSdkV3Config())
  const bucket = await aws.getServerlessDeploymentBucketName()
  try {
    const count = await pruneCode(s3, { bucket, folder: uploads.artifactsS3KeyDirname })
    if (count > 0) log.notice(`Removed ${count} objects of older deployments from ${bucket}`)
  } catch (error) {
    log.warning(`Objects of older deployments stay in ${bucket}: ${error}`)
  }
}

const stackNameOf = (serverless: Serverless): string => serverless.getProvider('aws').naming.getStackName()

async function giveRoles({ service }: Serverless, functions: readonly DeployedFunction[]) {
  const { rolesFor } = await import('./roles.ts')
  const bearers = functions.map(({ name, variables, uses }) => ({
    name,
    uses,
    // A variable that is not set in the cloud grants no permissions.
    variables: variables.filter((variable) => service.custom.variables[variable]),
    eventSources: (service.functions[name]?.events ?? []).flatMap(Object.keys),
  }))
  const { resources, roleOf } = rolesFor(bearers, service.custom.grants)
  Object.assign(service.provider.compiledCloudFormationTemplate.Resources, resources)
  for (const { name } of functions) Object.assign(service.functions[name] ?? {}, { role: roleOf[name] })
}
