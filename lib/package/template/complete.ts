import type { Parameters } from '../parameters.ts'
import { watch } from './alarms.ts'
import { keepFailures, type Schedule } from './failures.ts'
import { describeGateway } from './gateway.ts'
import { logAccess, shareLogGroup } from './logs.ts'
import { applyParameters } from './options.ts'
import { referToParameters } from './parameters.ts'
import { addQueues, type Queue } from './queues.ts'
import { resourcesOf, type Template } from './template.ts'

/** What completing a template needs to know of the service. */
export type Service = {
  /** Begins the name of every function, such as `platform-api-prod`. */
  stackName: string
  stage: string
  region: string
  parameters: Parameters
  logRetentionInDays: number
  queues: readonly Queue[]
  schedules: readonly Schedule[]
}

/** Turns the template that osls compiled into the one that is deployed. */
export function completeTemplate(template: Template, service: Service): void {
  const { stackName, logRetentionInDays, queues, schedules } = service
  addQueues(template, queues, stackName)
  keepFailures(template, schedules)
  describeGateway(template, `${stackName}-*`)
  shareLogGroup(template, logRetentionInDays)
  logAccess(template, logRetentionInDays)
  referToParameters(template)
  watch(template, {
    ...service,
    queues: queues.map(({ job }) => job),
    ordered: queues.flatMap(({ job, from }) => (from === 'changes' ? [job] : [])),
    scheduled: schedules.flatMap(({ job, isEnabled }) => (isEnabled ? [job] : [])),
    indexes: indexesOf(template),
    alertEmail: service.parameters.alertEmail,
  })
  applyParameters(template, service.parameters)
  dropImpliedDependencies(template)
}

const indexesOf = (template: Template): string[] => {
  const { GlobalSecondaryIndexes = [] } = (template.Resources['Table']?.Properties ?? {}) as TableProperties
  return GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)
}
type TableProperties = { GlobalSecondaryIndexes?: { IndexName: string }[] }

/** These refer to what they depend on; osls says so again, and AWS's validator warns of it. */
function dropImpliedDependencies(template: Template): void {
  for (const type of ['AWS::Lambda::Function', 'AWS::Lambda::EventSourceMapping']) {
    for (const [, resource] of resourcesOf(template, type)) delete resource.DependsOn
  }
}
