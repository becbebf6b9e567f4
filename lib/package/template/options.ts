import { ALLOWED_HEADERS } from '#lib/http/unrouted'
import type { Parameters } from '../parameters.ts'
import { useRestoredTable } from './restored-table.ts'
import { resourcesOf, type Template } from './template.ts'

type Distribution = { DistributionConfig: Record<string, unknown> }
type HeadersPolicy = { ResponseHeadersPolicyConfig: Record<string, unknown> }

/** Changes the template as parameters ask; without any it stays as it is. */
export function applyParameters(template: Template, parameters: Parameters): void {
  const { domain, certificate, wafAcl, documentsLockDays, runtimeVersion, concurrency } = parameters
  const { corsOrigins, restoredTable } = parameters
  const front = template.Resources['Front']?.Properties as Distribution | undefined
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
  if (front && wafAcl !== undefined) Object.assign(front.DistributionConfig, { WebACLId: wafAcl })
  const origins = (corsOrigins ?? '').split(',').filter((origin) => origin !== '')
  const policy = template.Resources['FrontHeadersPolicy']?.Properties as HeadersPolicy | undefined
  if (policy && origins.length > 0) policy.ResponseHeadersPolicyConfig['CorsConfig'] = cors(origins)
  const documents = template.Resources['DocumentsBucket']?.Properties
  if (documents && documentsLockDays !== undefined) lock(documents, documentsLockDays)
  if (restoredTable !== undefined) useRestoredTable(template, restoredTable)
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
    if (concurrency === 'shared') delete Properties['ReservedConcurrentExecutions']
    if (runtimeVersion === undefined) continue
    Properties['RuntimeManagementConfig'] = { UpdateRuntimeOn: 'Manual', RuntimeVersionArn: runtimeVersion }
  }
}

/**
 * Object Lock in governance mode, which needs versions: who is erased has documents until the days are over, unless
 * somebody who may bypass the lock removes them.
 */
function lock(bucket: Record<string, unknown>, Days: number): void {
  bucket['VersioningConfiguration'] = { Status: 'Enabled' }
  bucket['ObjectLockEnabled'] = true
  bucket['ObjectLockConfiguration'] = {
    ObjectLockEnabled: 'Enabled',
    Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days } },
  }
}

/** CORS for the answers that the gateway gives itself. Where a function said it, CloudFront leaves its answer as it is. */
const cors = (origins: readonly string[]) => ({
  AccessControlAllowOrigins: { Items: origins },
  AccessControlAllowMethods: { Items: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'] },
  AccessControlAllowHeaders: { Items: ALLOWED_HEADERS.split(', ') },
  AccessControlAllowCredentials: false,
  OriginOverride: false,
})
