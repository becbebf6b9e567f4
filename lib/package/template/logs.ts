import { type Resource, removeResources, resourcesOf, type Template } from './template.ts'

/**
 * The log group's logical id. AWS names the log group, so that a stack can be created again while logs of an earlier
 * one exist.
 */
export const LOG_GROUP = 'FunctionLogs'

/** Lets all functions write to one log group; a line names its function, so one query searches all of them. */
export function shareLogGroup(template: Template, retentionInDays: number): void {
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
  const own = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    `${Properties['LogGroupName']}`.startsWith('/aws/lambda/'),
  )
  removeResources(
    template,
    own.map(([id]) => id),
  )
  template.Resources[LOG_GROUP] = logGroup(retentionInDays)
  for (const [, { Properties }] of functions) Properties['LoggingConfig'] = { LogGroup: { Ref: LOG_GROUP } }
}

const logGroup = (retentionInDays: number): Resource => ({
  Type: 'AWS::Logs::LogGroup',
  DeletionPolicy: 'RetainExceptOnCreate',
  UpdateReplacePolicy: 'Retain',
  Properties: { RetentionInDays: retentionInDays },
})

/**
 * Logs every request to the gateway, including those that reach no function (429, 413, 503). A line names the route,
 * never the path or the query, which may hold personal data or secrets. It leaves out the caller's address, of which
 * functions log a keyed hash.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
export function logAccess(template: Template, retentionInDays: number): void {
  template.Resources[ACCESS_LOG] = logGroup(retentionInDays)
  for (const [, { Properties }] of resourcesOf(template, 'AWS::ApiGatewayV2::Stage')) {
    Properties['AccessLogSettings'] = {
      DestinationArn: { 'Fn::GetAtt': [ACCESS_LOG, 'Arn'] },
      Format: JSON.stringify(LINE),
    }
  }
}

const ACCESS_LOG = 'AccessLogs'
const LINE = {
  time: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  // The `X-Request-Id` of the answer, and `requestId` of the function's own line.
  functionRequestId: '$context.integration.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integrationLatency',
  bytes: '$context.responseLength',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
}
