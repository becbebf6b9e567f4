import { NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2'
import { expect, it, onTestFinished, vi } from 'vitest'
import { awsIn } from '#lib/deploy/clients'
import { type AwsFacts, examine } from '#lib/deploy/doctor'
import type { Parameters } from '#lib/package/parameters'

const account = { read: async () => 'there', create: async () => undefined, replace: async () => undefined }
const aws = (quota: number | undefined): AwsFacts => ({
  account,
  whoAmI: async () => '123456789012',
  mailIdentity: async () => ({ isVerified: true, isSigned: true }),
  mayMailStrangers: async () => true,
  concurrency: async () => quota,
})

const missing = async (quota: number | undefined, stage: string, parameters: Parameters) =>
  (await examine(aws(quota), [], stage, parameters))
    .filter(({ isThere }) => !isThere)
    .map(({ remedy }) => remedy)

it('A new account lacks the concurrency that functions reserve, unless all of it is shared.', async () => {
  expect(await missing(10, 'dev', {})).toEqual([expect.stringContaining('concurrency=shared')])
  expect(await missing(10, 'dev', { concurrency: 'shared' })).toEqual([])
  expect(await missing(1000, 'dev', {})).toEqual([])
})

it('A quota that may not be read is no finding.', async () => {
  expect(await missing(undefined, 'dev', {})).toEqual([])
})

it('Every stage but dev lacks a web ACL until one is named, or it is said to go without.', async () => {
  expect(await missing(1000, 'prod', {})).toEqual([expect.stringContaining('wafAcl=off')])
  expect(await missing(1000, 'prod', { wafAcl: 'off' })).toEqual([])
  expect(await missing(1000, 'prod', { front: 'off' })).toEqual([])
})

const MAIL_FROM = {
  name: '/platform-api/prod/mail-from',
  store: 'String',
  what: 'the sender',
  make: undefined,
} as const

const mailFindings = async (stage: string, given: Partial<AwsFacts>) =>
  (await examine({ ...aws(1000), ...given }, [MAIL_FROM], stage, { wafAcl: 'off' }))
    .filter(({ isThere }) => !isThere)
    .map(({ what }) => what)

it('Every stage but dev lacks production access of SES until the account has left the sandbox.', async () => {
  const inSandbox = { mayMailStrangers: async () => false }
  expect(await mailFindings('prod', inSandbox)).toEqual([expect.stringContaining('production access')])
  expect(await mailFindings('dev', inSandbox)).toEqual([])
})

it('A sender lacks a signature until its domain is verified, on every stage but dev.', async () => {
  const unsigned = { mailIdentity: async () => ({ isVerified: true, isSigned: false }) }
  expect(await mailFindings('prod', unsigned)).toEqual([expect.stringContaining('DKIM')])
  expect(await mailFindings('dev', unsigned)).toEqual([])
})

it('A sender that SES does not know is a finding on every stage.', async () => {
  const unknown = { mailIdentity: async () => ({ isVerified: false, isSigned: true }) }
  expect(await mailFindings('dev', unknown)).toEqual(['SES may send from there'])
})

/** What is found of the identity of a sender where SES refuses to say anything. */
async function identityWhereRefused(error: Error) {
  const send = vi.spyOn(SESv2Client.prototype, 'send').mockImplementation(() => Promise.reject(error))
  onTestFinished(() => send.mockRestore())
  return awsIn('eu-west-1').mailIdentity('no-reply@example.com')
}

it('A sender that SES does not know is neither verified nor signed.', async () => {
  const identity = await identityWhereRefused(new NotFoundException({ $metadata: {}, message: 'Unknown' }))
  expect(identity).toEqual({ isVerified: false, isSigned: false })
})

it('A sender of whom SES may not be asked stops the examination: nothing is known of them.', async () => {
  await expect(identityWhereRefused(new Error('Refused'))).rejects.toThrow('Refused')
})
