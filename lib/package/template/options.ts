import { ALLOWED_HEADERS } from '#lib/http/unrouted'
import type { Parameters } from '../parameters.ts'
import { useOwnKey } from './own-key.ts'
import { useRestoredTable } from './restored-table.ts'
import { allowFunctions, type Resource, removeResources, resourcesOf, type Template } from './template.ts'

type Distribution = { DistributionConfig: Record<string, unknown> }
type HeadersPolicy = { ResponseHeadersPolicyConfig: Record<string, unknown> }

/** Changes the template as parameters ask. */
export function applyParameters(template: Template, parameters: Parameters): void {
  const { documentsLockDays, documentsLogDays, concurrency, restoredTable } = parameters
  applyFrontParameters(template, parameters)
  applyThrottle(template, parameters)
  if (parameters.budget !== undefined)
    template.Resources['Budget'] = budget(parameters.budget, parameters.alertEmail)
  if (parameters.alertEmail !== undefined) notifyByMail(template, parameters.alertEmail)
  const documents = template.Resources['DocumentsBucket']?.Properties
  if (documents && documentsLockDays !== undefined) lock(documents, documentsLockDays)
  logDocuments(template, documentsLogDays)
  if (parameters.kmsKey !== undefined) useOwnKey(template, parameters.kmsKey)
  if (parameters.tracing === 'on') trace(template)
  if (parameters.ephemeral === 'on') keepNothing(template)
  if (restoredTable !== undefined) useRestoredTable(template, restoredTable)
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    if (concurrency === 'shared') delete Properties['ReservedConcurrentExecutions']
  }
}

function notifyByMail({ Resources }: Template, Endpoint: string): void {
  Object.assign(Resources['Alerts']?.Properties ?? {}, { Subscription: [{ Protocol: 'email', Endpoint }] })
}

/** Keeps the log of `lib/kyc/documents-log.yml` for so many days, or leaves it out. */
function logDocuments(template: Template, ExpirationInDays: number | undefined): void {
  const { DocumentsBucket, DocumentsLogBucket } = template.Resources
  if (ExpirationInDays !== undefined) {
    const Rules = [{ Id: 'old-lines', Status: 'Enabled', ExpirationInDays }]
    Object.assign(DocumentsLogBucket?.Properties ?? {}, { LifecycleConfiguration: { Rules } })
    return
  }
  removeResources(template, ['DocumentsLogBucket', 'DocumentsLogBucketPolicy'])
  delete DocumentsBucket?.Properties['LoggingConfiguration']
}

function applyThrottle(template: Template, { throttleRate, throttleBurst }: Parameters): void {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::ApiGatewayV2::Stage')) {
    Properties['DefaultRouteSettings'] = {
      ...(Properties['DefaultRouteSettings'] as object),
      ...(throttleRate !== undefined && { ThrottlingRateLimit: throttleRate }),
      ...(throttleBurst !== undefined && { ThrottlingBurstLimit: throttleBurst }),
    }
  }
}

function applyFrontParameters(
  { Resources }: Template,
  { domain, certificate, wafAcl = 'off', corsOrigins = '' }: Parameters,
): void {
  const front = Resources['Front']?.Properties as Distribution | undefined
  if (front && domain !== undefined) {
    Object.assign(front.DistributionConfig, {
      Aliases: [domain],
      ViewerCertificate: {
        AcmCertificateArn: certificate,
        SslSupportMethod: 'sni-only',
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    })
  }
  if (front && wafAcl !== 'off') Object.assign(front.DistributionConfig, { WebACLId: wafAcl })
  const origins = corsOrigins.split(',').filter((origin) => origin !== '')
  const policy = Resources['FrontHeadersPolicy']?.Properties as HeadersPolicy | undefined
  if (policy && origins.length > 0) policy.ResponseHeadersPolicyConfig['CorsConfig'] = cors(origins)
}

/**
 * Object Lock in governance mode, which needs versions: an erased person's documents stay until the days are over,
 * unless someone with the right to bypass the lock removes them.
 */
function lock(bucket: Record<string, unknown>, Days: number): void {
  bucket['VersioningConfiguration'] = { Status: 'Enabled' }
  bucket['ObjectLockEnabled'] = true
  bucket['ObjectLockConfiguration'] = {
    ObjectLockEnabled: 'Enabled',
    Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days } },
  }
}

/** Lets functions send traces to X-Ray. Its actions cannot be limited to a resource. AWS charges each trace. */
function trace(template: Template): void {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    Properties['TracingConfig'] = { Mode: 'Active' }
  }
  allowFunctions(template, () => ({
    Effect: 'Allow',
    Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    Resource: '*',
  }))
}

/** Lets the stack be removed with all that it holds, once its buckets are empty. */
function keepNothing({ Resources }: Template): void {
  for (const resource of Object.values(Resources)) {
    if (resource.DeletionPolicy !== undefined) resource.DeletionPolicy = 'Delete'
    if (resource.UpdateReplacePolicy !== undefined) resource.UpdateReplacePolicy = 'Delete'
  }
  Object.assign(Resources['Table']?.Properties ?? {}, { DeletionProtectionEnabled: false })
  Object.assign(Resources['ConsoleUserPool']?.Properties ?? {}, { DeletionProtection: 'INACTIVE' })
  // Versions would have to be deleted one by one.
  Object.assign(Resources['MediaBucket']?.Properties ?? {}, {
    VersioningConfiguration: { Status: 'Suspended' },
  })
}

/**
 * A budget of the account: stages share it, unless each has an account of its own. The parameters refuse a budget without
 * an address.
 */
function budget(Amount: number, Address: string | undefined): Resource {
  const notify = (NotificationType: 'ACTUAL' | 'FORECASTED', Threshold: number) => ({
    Notification: {
      NotificationType,
      ComparisonOperator: 'GREATER_THAN',
      Threshold,
      ThresholdType: 'PERCENTAGE',
    },
    Subscribers: [{ SubscriptionType: 'EMAIL', Address }],
  })
  return {
    Type: 'AWS::Budgets::Budget',
    Properties: {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount, Unit: 'USD' } },
      NotificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
    },
  }
}

/** CORS for answers of the gateway itself. Where a function set these headers, CloudFront leaves them as they are. */
const cors = (origins: readonly string[]) => ({
  AccessControlAllowOrigins: { Items: origins },
  AccessControlAllowMethods: { Items: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'] },
  AccessControlAllowHeaders: { Items: ALLOWED_HEADERS.split(', ') },
  AccessControlAllowCredentials: false,
  OriginOverride: false,
})
