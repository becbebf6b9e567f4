import { describe, expect, it } from 'vitest'
import { nestRoles, rolesOfFunctions, roleTemplateKey } from '#lib/package/template/role-stack'
import type { Resource, Template } from '#lib/package/template/template'

const role = (...Statement: object[]): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'function', PolicyDocument: { Statement } }] },
})
const lambda = (id: string): Resource => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Role: { 'Fn::GetAtt': [id, 'Arn'] } },
})
const READ = {
  Action: ['dynamodb:Query'],
  Resource: [{ 'Fn::GetAtt': ['Table', 'Arn'] }, { 'Fn::Sub': '${Table.Arn}/index/gsi1' }],
  Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
}
const SEND = {
  Action: ['ses:SendEmail'],
  Resource: { 'Fn::Sub': 'arn:${AWS::Partition}:ses:identity/${MailFromParameter}' },
}

/** A template with as many functions, each with a role of its own. */
const withFunctions = (count: number): Template => {
  const ids = Array.from({ length: count }, (_, index) => `Role${index}`)
  return {
    Resources: {
      Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
      GatewayRole: role(READ),
      ...Object.fromEntries(ids.map((id) => [id, role(READ, SEND)])),
      ...Object.fromEntries(ids.map((id) => [`${id}LambdaFunction`, lambda(id)])),
    },
  }
}

describe('the roles of functions', () => {
  it('leave a nested stack in their template, and the role of the gateway', () => {
    const template = withFunctions(20)
    nestRoles(template, 'folder')
    const others = Object.entries(template.Resources).filter(([id]) => !id.endsWith('LambdaFunction'))
    expect(others.map(([id]) => id).sort()).toEqual(['FunctionRoles', 'GatewayRole', 'Table'])
  })

  it('allow in a nested stack what they allowed before', () => {
    const template = withFunctions(20)
    const before = template.Resources['Role7']
    const nested = nestRoles(template, 'folder')
    expect(rolesOfFunctions(template, nested)['Role7LambdaFunction']).toEqual(before)
  })

  it('name nothing of the template but by parameters of the nested stack', () => {
    const template = withFunctions(20)
    const { Parameters = {}, Resources } = nestRoles(template, 'folder')
    const references = JSON.stringify(Resources).matchAll(/"Ref":"(\w+)"|\$\{(\w+)\}/g)
    for (const [, ref, variable] of references) expect(Object.keys(Parameters)).toContain(ref ?? variable)
    expect(JSON.stringify(Resources)).not.toContain('"Table"')
    expect(template.Resources['FunctionRoles']?.Properties['Parameters']).toEqual({
      TableArn: { 'Fn::GetAtt': ['Table', 'Arn'] },
      MailFromParameter: { Ref: 'MailFromParameter' },
    })
  })

  it('have a template whose key changes with its content alone', () => {
    const [one, same, other] = [withFunctions(20), withFunctions(20), withFunctions(21)]
    for (const template of [one, same, other]) nestRoles(template, 'folder')
    expect(roleTemplateKey(same)).toBe(roleTemplateKey(one))
    expect(roleTemplateKey(other)).not.toBe(roleTemplateKey(one))
    expect(roleTemplateKey(one)).toMatch(/^folder\/FunctionRoles-[0-9a-f]{64}\.json$/)
  })

  it('stop packaging where a nested stack would have more outputs than it may', () => {
    expect(() => nestRoles(withFunctions(600), 'folder')).toThrow('600 roles, more than 200')
  })
})
