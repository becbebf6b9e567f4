import { expect, it } from 'vitest'
import { examine, type Surroundings } from '#lib/deploy/doctor'

const account = { read: async () => 'there', create: async () => undefined, replace: async () => undefined }
const surroundings = (quota: number | undefined): Surroundings => ({
  account,
  whoAmI: async () => '123456789012',
  mayMailFrom: async () => true,
  concurrency: async () => quota,
  nodeVersion: 'v24.21.0',
})

const missing = async (...given: Parameters<typeof examine>) =>
  (await examine(...given)).filter(({ isThere }) => !isThere).map(({ remedy }) => remedy)

it('A new account lacks the concurrency that functions reserve, unless all of it is shared.', async () => {
  expect(await missing(surroundings(10), [])).toEqual([expect.stringContaining('concurrency=shared')])
  expect(await missing(surroundings(10), [], true)).toEqual([])
  expect(await missing(surroundings(1000), [])).toEqual([])
})

it('Who may not read the quota is told nothing of it.', async () => {
  expect(await missing(surroundings(undefined), [])).toEqual([])
})
