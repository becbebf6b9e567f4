import { removeResources, resourcesOf, type Template } from './template.ts'

/** The logical id of the functions' log group, which `lib/deploy/logs.yml` describes. */
export const LOG_GROUP = 'FunctionLogs'

/** Lets all functions write to one log group; a line names its function, so one query searches all of them. */
export function shareLogGroup(template: Template): void {
  const own = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    `${Properties['LogGroupName']}`.startsWith('/aws/lambda/'),
  )
  removeResources(
    template,
    own.map(([id]) => id),
  )
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function'))
    Properties['LoggingConfig'] = { LogGroup: { Ref: LOG_GROUP } }
}
