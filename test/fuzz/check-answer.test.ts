import { describe, expect, it } from 'vitest'
import type { Caller } from './callers.ts'
import { checkAnswer } from './check-answer.ts'
import type { Document, Operation } from './described-api.ts'
import { openSchemaCheck } from './schema-check.ts'

const REQUEST_ID = 'req-1'
const caller: Caller = { name: 'stranger', scheme: 'none', authorization: undefined }
const described: Omit<Operation, 'method' | 'path' | 'route'> = {
  security: [],
  parameters: [],
  responses: {
    200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/House' } } } },
    404: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/NotFound' } } } },
  },
}
const document: Document = {
  paths: { '/houses/{id}': { get: described } },
  components: {
    schemas: {
      House: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      Problem: {
        type: 'object',
        properties: { status: { type: 'integer' }, requestId: { type: 'string' } },
        required: ['status', 'requestId'],
      },
      NotFound: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { const: 'not_found' } }, required: ['code'] },
        ],
      },
    },
  },
}

const faultsOf = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const operation: Operation = {
    ...described,
    method: 'GET',
    path: '/houses/{id}',
    route: 'GET /houses/{id}',
  }
  const request = { operation, caller, target: '/houses/1', headers: {}, body: undefined }
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return checkAnswer(openSchemaCheck(document), request, {
    status,
    headers: new Headers({
      'content-type': type,
      'x-request-id': REQUEST_ID,
      'api-version': '1',
      ...headers,
    }),
    text: JSON.stringify(body),
  })
}
const notFound = { status: 404, requestId: REQUEST_ID, code: 'not_found' }

describe('the fuzzer', () => {
  it('finds nothing in an answer that the document describes', () => {
    expect([...faultsOf(200, { id: 'a' }), ...faultsOf(404, notFound)]).toEqual([])
  })

  it.each([
    ['a status of the server’s own', 500, notFound, {}, /^answered 500$/],
    ['a status that is not declared', 409, notFound, {}, /^does not say that it answers 409$/],
    ['a type that is not declared', 200, { id: 'a' }, { 'content-type': 'text/html' }, /is text\/html$/],
    ['a member that is absent', 200, {}, {}, /must have required property 'id'/],
    ['a member that is not described', 200, { id: 'a', pk: 'b' }, {}, /unevaluated.*"pk"/],
    ['a member that is not described of a problem', 404, { ...notFound, pk: 'b' }, {}, /unevaluated.*"pk"/],
    ['a member of another type', 200, { id: 1 }, {}, /^body\/id must be string/],
    ['a problem that is not declared', 404, { ...notFound, code: 'forbidden' }, {}, /^body\/code must be/],
    ['a problem of another status', 404, { ...notFound, status: 400 }, {}, /^says 400 in a 404$/],
    ['a problem of another request', 404, { ...notFound, requestId: 'b' }, {}, /^names another request$/],
    ['what the inside is made of', 404, { ...notFound, code: 'DynamoDB' }, {}, /^tells of the inside/],
  ])('finds %s', (_, status, body, headers, fault) => {
    expect(faultsOf(status, body, headers)).toContainEqual(expect.stringMatching(fault))
  })
})
