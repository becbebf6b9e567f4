import { type Resource, removeResources, resourcesOf, type Template } from './template.ts'

const LOG_GROUP = 'FunctionLogs'

/** Lets all functions write to one log group; a line names its function, so one query searches all of them. */
export function shareLogGroup(template: Template, name: string, retentionInDays: number): void {
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
  const own = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    `${Properties['LogGroupName']}`.startsWith('/aws/lambda/'),
  )
  removeResources(
    template,
    own.map(([id]) => id),
  )
  template.Resources[LOG_GROUP] = logGroup(name, retentionInDays)
  for (const [, { Properties }] of functions) Properties['LoggingConfig'] = { LogGroup: { Ref: LOG_GROUP } }
}

const logGroup = (LogGroupName: string, RetentionInDays: number): Resource => ({
  Type: 'AWS::Logs::LogGroup',
  DeletionPolicy: 'RetainExceptOnCreate',
  UpdateReplacePolicy: 'Retain',
  Properties: { LogGroupName, RetentionInDays },
})
