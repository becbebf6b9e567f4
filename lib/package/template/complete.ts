import { describeGateway } from './gateway.ts'
import { shareLogGroup } from './logs.ts'
import { referToParameters } from './parameters.ts'
import { resourcesOf, type Template } from './template.ts'

/** What completing a template needs to know of the service. */
export type Naming = {
  /** Begins the name of every function, such as `platform-api-prod`. */
  stackName: string
  logRetentionInDays: number
}

/** The log group that all functions of a stack write to. */
export const logGroupOf = (stackName: string): string => `/aws/lambda/${stackName}`

/** Makes of what osls compiled the template that is deployed. */
export function completeTemplate(template: Template, { stackName, logRetentionInDays }: Naming): void {
  describeGateway(template, `${stackName}-*`)
  shareLogGroup(template, logGroupOf(stackName), logRetentionInDays)
  referToParameters(template)
  dropImpliedDependencies(template)
}

/** These depend on others by referring to them; osls says so again, and AWS's validator warns of it. */
function dropImpliedDependencies(template: Template): void {
  for (const type of ['AWS::Lambda::Function', 'Custom::S3']) {
    for (const [, resource] of resourcesOf(template, type)) delete resource.DependsOn
  }
}
