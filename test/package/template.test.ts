import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Packaged, packageCopy } from './packaged.ts'

let packaged: Packaged

beforeAll(async () => {
  packaged = await packageCopy('--no-bytecode')
}, 3 * 60_000)

afterAll(() => packaged?.remove())

/** Given inline on a developer's machine only. */
const NOT_GIVEN = new Set(['AUTH_SIGNING_KEYS', 'CONSOLE_JWKS', 'HMAC_KEYS', 'PAYMENT_PROVIDERS'])
/** Empty unless whoever deploys says otherwise. */
const OPTIONAL = new Set(['CORS_ORIGINS', 'PASSWORD_RESET_URL', 'EMAIL_VERIFICATION_URL'])

describe('the CloudFormation template', () => {
  it('stays well under the 500 resources that a stack may have', () => {
    expect(Object.keys(packaged.resources).length).toBeLessThan(450)
  })

  it('gives every function exactly the variables that it reads', () => {
    expect(packaged.functions.length).toBeGreaterThan(0)
    for (const { name, variables } of packaged.functions) {
      const given = Object.keys(packaged.lambdas[name]?.Environment.Variables ?? {})
      const expected = variables.filter((variable) => !NOT_GIVEN.has(variable))
      expect(given.filter((variable) => !OPTIONAL.has(variable)).sort(), name).toEqual(
        expected.filter((variable) => !OPTIONAL.has(variable)),
      )
      expect(variables, name).toEqual(expect.arrayContaining(given))
    }
  })

  it('gives no function a secret, only the name of where one is kept', () => {
    for (const [name, { Environment }] of Object.entries(packaged.lambdas)) {
      for (const secret of NOT_GIVEN) expect(Environment.Variables, name).not.toHaveProperty(secret)
    }
  })

  it('allows a function what its variables call for, and no more', () => {
    const actionsOf = (name: string) => {
      const role = packaged.resources[packaged.lambdas[name]?.Role['Fn::GetAtt'][0] ?? '']
      const policies = role?.Properties['Policies'] as {
        PolicyDocument: { Statement: { Action: string[] }[] }
      }[]
      return policies.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.flatMap(({ Action }) => Action),
      )
    }
    const servicesOf = (name: string) =>
      [...new Set(actionsOf(name).map((action) => action.split(':')[0]))].sort()
    expect(servicesOf('health')).toEqual(['logs'])
    expect(servicesOf('getProfile')).toEqual(['dynamodb', 'logs'])
    expect(servicesOf('register')).toEqual(['dynamodb', 'kms', 'logs', 'ssm'])
    expect(servicesOf('paymentCallback')).toEqual(['dynamodb', 'kms', 'logs', 'secretsmanager'])
    for (const name of Object.keys(packaged.lambdas)) expect(actionsOf(name).join(), name).not.toMatch(/\*/)
  })
})
