import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { PROBLEMS } from '#lib/http/problems'
import { checkTemplate } from '#lib/package/check-template'

/** A template beside the service's own; its intrinsic functions are read as plain values. */
const readTemplate = (file: string) =>
  parse(readFileSync(new URL(`../../lib/deploy/${file}`, import.meta.url), 'utf8'), { logLevel: 'silent' })

/** @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html */
const KEPT_BY_CLOUDFRONT = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]

it('The front keeps no error, and leaves each as the function answered it.', () => {
  const { DistributionConfig } = readTemplate('front-on.yml').Resources.Front.Properties
  expect(DistributionConfig.CustomErrorResponses).toEqual(
    KEPT_BY_CLOUDFRONT.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
  )
})

it('The front leaves compression to the functions, whose tags stay strong.', () => {
  const { DefaultCacheBehavior, CacheBehaviors } =
    readTemplate('front-on.yml').Resources.Front.Properties.DistributionConfig
  for (const { Compress } of [DefaultCacheBehavior, ...CacheBehaviors]) expect(Compress).toBe(false)
})

it('An address that asks too much is told so as a function would, and when to come again.', () => {
  const { CustomResponseBodies, Rules } = readTemplate('waf.yml').Resources.WebAcl.Properties
  const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Rules[1].Action.Block.CustomResponse
  const [status, title] = PROBLEMS.too_many_requests
  expect(ResponseCode).toBe(status)
  expect(JSON.parse(CustomResponseBodies[CustomResponseBodyKey].Content)).toMatchObject({
    type: '/docs#too_many_requests',
    code: 'too_many_requests',
    status,
    title,
  })
  expect(ResponseHeaders).toContainEqual({ Name: 'Retry-After', Value: '300' })
})

it('The web ACL counts no callback, and blocks the addresses of its two sets.', () => {
  const { Rules } = readTemplate('waf.yml').Resources.WebAcl.Properties
  const { ScopeDownStatement } = Rules[1].Statement.RateBasedStatement
  expect(ScopeDownStatement.NotStatement.Statement.ByteMatchStatement).toMatchObject({
    FieldToMatch: { UriPath: {} },
    PositionalConstraint: 'STARTS_WITH',
    SearchString: '/payments/callback/',
  })
  expect(Rules[0]).toMatchObject({ Action: { Block: {} }, Statement: { OrStatement: expect.anything() } })
})

it('CloudFront’s log, an option of its own, holds addresses for some days, and neither a path nor a query.', async () => {
  const { Delivery, Log } = readTemplate('front-logs.yml').Resources
  expect(Delivery.Properties.RecordFields).toContain('c-ip')
  expect(Delivery.Properties.RecordFields.join()).not.toMatch(/uri|query|cookie|referer|host/i)
  expect(Log).toMatchObject({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 'Days' } })
  const { findings } = await checkTemplate(
    fileURLToPath(new URL('../../lib/deploy/front-logs.yml', import.meta.url)),
  )
  expect(findings).toEqual([])
})
