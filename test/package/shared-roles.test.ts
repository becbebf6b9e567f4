import { expect, it } from 'vitest'
import type { Statement } from '#lib/package/grants'
import { type SharedRole, withoutExcess } from '#lib/package/shared-roles'

const TABLE = { 'Fn::GetAtt': ['Table', 'Arn'] }
const on = (action: string, ...partitions: string[]): Statement => ({
  Effect: 'Allow',
  Action: [action],
  Resource: TABLE,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
})
const reader = (name: string, ...partitions: string[]): SharedRole => ({
  keys: ['TABLE_NAME'],
  granted: [on('dynamodb:GetItem', ...partitions)],
  names: [name],
})
const writer: SharedRole = {
  keys: ['TABLE_NAME'],
  granted: [on('dynamodb:GetItem', 'USER#*'), on('dynamodb:PutItem', 'USER#*')],
  names: ['write'],
}

it('Roles stay as they are while there is room.', () => {
  const roles = [reader('a', 'USER#*'), reader('b', 'LISTING#*')]
  expect(withoutExcess(roles, 2)).toEqual(roles)
})

it('Roles that read are joined, those that gain least first.', () => {
  const roles = [
    reader('a', 'USER#*'),
    reader('b', 'PAYMENT#*', 'REFUND#*'),
    reader('c', 'LISTING#*', 'USER#*'),
  ]
  expect(withoutExcess(roles, 2)).toEqual([
    { keys: ['TABLE_NAME'], granted: [on('dynamodb:GetItem', 'LISTING#*', 'USER#*')], names: ['a', 'c'] },
    roles[1],
  ])
})

it('A role that reads factors is never joined with one that does not.', () => {
  const roles = [reader('a', 'USER#*'), reader('b', 'FACTORS#*', 'USER#*')]
  expect(withoutExcess(roles, 1)).toEqual(roles)
})

it('A role that changes records is never joined with another.', () => {
  const roles = [writer, { ...writer, names: ['other'] }, reader('a', 'USER#*')]
  expect(withoutExcess(roles, 1)).toEqual(roles)
})
