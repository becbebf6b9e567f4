import type { Parameters } from '../parameters.ts'
import { keepFailures, type Schedule } from './failures.ts'
import { functionAlarms } from './function-alarms.ts'
import { describeGateway } from './gateway.ts'
import { shareLogGroup } from './logs.ts'
import { applyParameters } from './options.ts'
import { addQueues, type Queue } from './queues.ts'
import { nestRoles } from './role-stack.ts'
import { referToParameters } from './ssm-parameters.ts'
import { removeResources, resourcesOf, type Template } from './template.ts'

export type Service = {
  /** Begins the name of every function, such as `platform-api-prod`. */
  stackName: string
  parameters: Parameters
  queues: readonly Queue[]
  schedules: readonly Schedule[]
  /** The folder of the deployment bucket for the files that the template names. */
  folder: string
}

/** Completes the template that osls compiled. Returns the template of its nested stack, which has the roles. */
export function completeTemplate(template: Template, service: Service): Template {
  const { stackName, queues, schedules } = service
  const enabled = schedules.filter(({ isEnabled }) => isEnabled)
  addQueues(template, queues, stackName)
  dropDisabledSchedules(template, schedules)
  keepFailures(template, enabled)
  describeGateway(template, `${stackName}-*`)
  shareLogGroup(template)
  referToParameters(template)
  const alarms = functionAlarms({
    stackName,
    queues: queues.map(({ job }) => job),
    // Queues of the table's changes keep their order.
    ordered: queues.flatMap(({ job, from }) => (from === 'changes' ? [job] : [])),
    scheduled: enabled.map(({ job, everySeconds }) => ({ job, everySeconds, rule: ruleOf(job) })),
    reserved: reservedFunctions(template, stackName),
  })
  Object.assign(template.Resources, alarms)
  // After everything was added, since some parameters change every resource of a kind.
  applyParameters(template, service.parameters)
  dropImpliedDependencies(template)
  return nestRoles(template, service.folder)
}

/** Removes the rules of disabled schedules, whose jobs are started by hand, and the permissions of these rules. */
function dropDisabledSchedules(template: Template, schedules: readonly Schedule[]): void {
  const rules = schedules.filter(({ isEnabled }) => !isEnabled).map(({ job }) => ruleOf(job))
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').filter(([, { Properties }]) =>
    rules.some((rule) => JSON.stringify(Properties['SourceArn'] ?? '').includes(`"${rule}"`)),
  )
  removeResources(template, [...rules, ...permissions.map(([id]) => id)])
}

/** Returns the logical id that osls gives the rule of a schedule. */
const ruleOf = (job: string): string => `${job.charAt(0).toUpperCase()}${job.slice(1)}EventsRuleSchedule1`

const reservedFunctions = (template: Template, stackName: string): string[] =>
  resourcesOf(template, 'AWS::Lambda::Function')
    .filter(([, { Properties }]) => Properties['ReservedConcurrentExecutions'] !== undefined)
    .map(([, { Properties }]) => `${Properties['FunctionName']}`.replace(`${stackName}-`, ''))

/**
 * Removes the `DependsOn` of functions and event source mappings. They refer to all that they depend on, and AWS's
 * validator warns of the repetition.
 */
function dropImpliedDependencies(template: Template): void {
  for (const type of ['AWS::Lambda::Function', 'AWS::Lambda::EventSourceMapping']) {
    for (const [, resource] of resourcesOf(template, type)) delete resource.DependsOn
  }
}
