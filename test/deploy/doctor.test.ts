import { expect, it } from 'vitest'
import { examine, type Surroundings } from '#lib/deploy/doctor'
import type { Parameters } from '#lib/package/parameters'

const account = { read: async () => 'there', create: async () => undefined, replace: async () => undefined }
const surroundings = (quota: number | undefined): Surroundings => ({
  account,
  whoAmI: async () => '123456789012',
  mayMailFrom: async () => true,
  concurrency: async () => quota,
  nodeVersion: 'v24.21.0',
})

const missing = async (quota: number | undefined, stage: string, parameters: Parameters) =>
  (await examine(surroundings(quota), [], stage, parameters))
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
