import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ParameterName, readParameters } from '#lib/package/parameters'
import { applyParameters } from '#lib/package/template/options'

const template = () => ({
  Resources: {
    DocumentsBucket: {
      Type: 'AWS::S3::Bucket',
      Properties: { VersioningConfiguration: { Status: 'Suspended' } },
    },
    FrontHeadersPolicy: {
      Type: 'AWS::CloudFront::ResponseHeadersPolicy',
      Properties: { ResponseHeadersPolicyConfig: { Name: 'front' } },
    },
    LoginLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: 20 } },
  },
})

const withParameters = (...given: string[]) => {
  const changed = template()
  applyParameters(changed, readParameters(given))
  return changed.Resources
}

it('Without parameters a template stays as it is.', () => {
  expect(withParameters()).toEqual(template().Resources)
})

it('A shared concurrency reserves none, for an account whose quota is small.', () => {
  expect(withParameters('concurrency=shared').LoginLambdaFunction.Properties).toEqual({})
  expect(withParameters('concurrency=reserved')).toEqual(template().Resources)
  expect(() => readParameters(['concurrency=none'])).toThrow('concurrency is not valid')
})

it('A lock on documents keeps their versions, which it needs.', () => {
  expect(withParameters('documentsLockDays=30').DocumentsBucket.Properties).toMatchObject({
    VersioningConfiguration: { Status: 'Enabled' },
    ObjectLockEnabled: true,
  })
})

it('Configured origins may read what the gateway answers itself.', () => {
  const { Properties } = withParameters('corsOrigins=https://a.example,https://b.example').FrontHeadersPolicy
  expect(Properties.ResponseHeadersPolicyConfig).toMatchObject({
    CorsConfig: {
      AccessControlAllowOrigins: { Items: ['https://a.example', 'https://b.example'] },
      OriginOverride: false,
    },
  })
})

it('Every parameter that the template reads can be given.', async () => {
  const source = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const read = new Set([...source.matchAll(/\$\{param:(\w+)/g)].map(([, name = '']) => name))
  expect([...read].filter((name) => !ParameterName.options.some((known) => known === name))).toEqual([])
})

it('A parameter whose JSON a shell has taken apart stops a deployment.', () => {
  expect(readParameters(['commission={"rent":500}'])).toEqual({ commission: '{"rent":500}' })
  expect(() => readParameters(['commission={rent:500}'])).toThrow('commission is not valid')
})

const CERTIFICATE = 'certificate=arn:aws:acm:us-east-1:123456789012:certificate/1'

it.each([
  [['domain=api.example.com'], 'domain and certificate go together'],
  [['domain=api.example.com', CERTIFICATE], 'domain needs publicUrl=https://api.example.com'],
  [[CERTIFICATE.replace('us-east-1', 'eu-west-1')], 'certificate is not valid'],
  [['wafAcl=arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/a/1'], 'wafAcl is not valid'],
  [['front=off', 'wafAcl=arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/1'], 'need front=on'],
])('%j stops a deployment before anything is made: %s.', (given, said) => {
  expect(() => readParameters(given)).toThrow(said)
})
