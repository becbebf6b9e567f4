import { removeResources, resourcesOf, type Template } from './template.ts'

/** The log group's logical id. AWS names it, so that a stack can be made again beside the logs of an earlier one. */
export const LOG_GROUP = 'FunctionLogs'

/** Lets all functions write to one log group; a line names its function, so one query searches all of them. */
export function shareLogGroup(template: Template, RetentionInDays: number): void {
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
  const own = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    `${Properties['LogGroupName']}`.startsWith('/aws/lambda/'),
  )
  removeResources(
    template,
    own.map(([id]) => id),
  )
  template.Resources[LOG_GROUP] = {
    Type: 'AWS::Logs::LogGroup',
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: { RetentionInDays },
  }
  for (const [, { Properties }] of functions) Properties['LoggingConfig'] = { LogGroup: { Ref: LOG_GROUP } }
}
