import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SSMClient } from '@aws-sdk/client-ssm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openAccount } from '#lib/deploy/account'
import { accountValues, publicHalves } from '#lib/deploy/account-values'
import { storeSecrets } from '#lib/deploy/store-secrets'
import { memoryParameterStore, type StoredValues } from '#test/support/parameter-store'

const SIGNING_KEYS = '/platform-api/prod/auth-signing-keys'
const PUBLIC_KEYS = '/platform-api/prod/auth-jwks'

let stored: StoredValues
beforeEach(() => {
  stored = memoryParameterStore()
})
afterEach(() => void vi.restoreAllMocks())

/** Stores, or prints, what a stage needs, and returns what is reported and what only the operator knows. */
async function run(options: { write: boolean; console?: string; mailFrom?: string }) {
  const { write, ...parameters } = options
  const account = openAccount({ ssm: new SSMClient(), secrets: new SecretsManagerClient() })
  const lines: string[] = []
  const values = accountValues('prod', parameters)
  const where = { region: 'eu-west-1', write }
  const unknown = await storeSecrets(account, values, where, (line) => lines.push(line))
  return { lines, unknown: unknown.map(({ name }) => name), names: values.map(({ name }) => name) }
}

it('Every value of a stage is stored once, as the type that its reader takes, and kept by a second run.', async () => {
  const { lines, unknown, names } = await run({ write: true, mailFrom: 'no-reply@example.com' })
  expect([unknown, lines]).toEqual([[], names.map((name) => `${name} made`)])
  expect([...stored.parameters.keys(), ...stored.secrets]).toEqual(names)
  expect(stored.parameters.get(SIGNING_KEYS)?.Type).toBe('SecureString')
  // CloudFormation resolves no other type.
  expect(stored.parameters.get(PUBLIC_KEYS)?.Type).toBe('String')
  const before = new Map(stored.parameters)
  expect((await run({ write: true })).lines).toEqual(names.map((name) => `${name} is there`))
  expect(stored.parameters).toEqual(before)
})

it('A missing public half is made from the signing keys that are stored already.', async () => {
  await run({ write: true, mailFrom: 'no-reply@example.com' })
  const { Value } = stored.parameters.get(SIGNING_KEYS) ?? {}
  stored.parameters.delete(PUBLIC_KEYS)
  await run({ write: true })
  expect(stored.parameters.get(PUBLIC_KEYS)?.Value).toBe(publicHalves(Value))
})

it('Without --write nothing is stored, and the command for each value is printed.', async () => {
  const { lines } = await run({ write: false, mailFrom: 'no-reply@example.com' })
  expect(stored.parameters.size + stored.secrets.size).toBe(0)
  expect(lines.join('\n')).toContain(
    `aws ssm put-parameter --region eu-west-1 --name ${SIGNING_KEYS} --type SecureString --value '{"keys":[`,
  )
})

it('What only the operator knows is named, and everything else is stored.', async () => {
  const { lines, unknown } = await run({ write: true, console: 'external' })
  expect(unknown.map((name) => name.split('/').at(-1))).toEqual([
    'mail-from',
    'console-issuer',
    'console-audience',
  ])
  expect(lines).toContain('platform-api/prod/payment-providers made')
})
