import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { describeCause } from '#lib/http/describe-cause'

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('the cause of a fault in the log', () => {
  it.each([
    'Invalid UpdateExpression: Syntax error; token: "#n0", near: "SET sessions.ses_01 = :v0"',
    'One or more parameter values were invalid: Key {pk: {S: "USER#usr_01"}}',
    'ExpressionAttributeValues unused in expressions (keys {:v3, EMAIL#awa@example.com})',
  ])('names no key and no expression of a refusal by DynamoDB: %s', (message) => {
    const error = new DynamoDBServiceException({
      name: 'ValidationException',
      message,
      $fault: 'client',
      $metadata: {},
    })
    const described = JSON.stringify(describeCause(new Error('The write failed', { cause: error })))
    expect(described).toContain('ValidationException')
    expect(described).not.toMatch(/usr_01|ses_01|awa@|:v\d|#n0/)
  })

  it('keeps the name, the beginning of the message and the frames', () => {
    const error = new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
    })
    expect(describeCause(error)).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      stack: expect.stringMatching(/^\s+at /),
    })
  })

  it('names no value that a schema refused', () => {
    const { error } = z.strictObject({}).safeParse({ 'awa@example.com': 'secret' })
    expect(JSON.stringify(describeCause(error))).not.toMatch(/awa@|secret/)
  })

  it.each([
    ['JSON', () => JSON.parse('Awa Koné')],
    ['a number', () => BigInt('Awa Koné')],
  ])('quotes no text that was read as %s and is none', (_, read) => {
    const described = JSON.stringify(describeCause(thrownBy(read)))
    expect(described).toContain('SyntaxError')
    expect(described).not.toContain('Awa')
  })

  it('is whole for an error of our own', () => {
    const error = new Error('Configuration: TABLE_NAME is missing')
    expect(describeCause(error).message).toBe('Configuration: TABLE_NAME is missing')
  })

  it('is the type alone of what was thrown and is no error', () => {
    expect(describeCause('secret')).toEqual({ name: 'string', message: '', stack: '' })
  })
})
