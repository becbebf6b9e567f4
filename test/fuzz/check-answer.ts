import { isJson, type Json, type Operation } from './described-api.ts'
import type { FuzzRequest } from './make-request.ts'
import type { CheckBody } from './schema-check.ts'

/** An answer as it came. */
export type FuzzAnswer = { status: number; headers: Headers; text: string }

/** What the inside is made of, which no refusal says. */
const INSIDE =
  /node_modules|\bat \S+ \(|\.ts:\d+|\b[A-Z]{3,}#|ConditionExpression|UpdateExpression|ConditionalCheckFailed|TransactionCanceled|ValidationException|DynamoDB|ECONNREFUSED|\[object |\bundefined\b|\bNaN\b|ZodError|TypeError|127\.0\.0\.1/

/** Returns how an answer differs from the document, each as one sentence; none where it is held. */
export function checkAnswer(checkBody: CheckBody, { operation }: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer
  const response = operation.responses[status]
  const type = headers.get('content-type')?.replace(/;.*/, '')
  if (status >= 500 && status !== 502 && status !== 503) return [`answered ${status}`]
  if (response === undefined) return [`does not say that it answers ${status}`]
  const faults = [
    ...typeFaults(operation, answer, type),
    ...(status >= 400 && INSIDE.test(text) ? [`tells of the inside: ${INSIDE.exec(text)?.[0]}`] : []),
    ...['x-request-id', 'api-version'].flatMap((name) => (headers.has(name) ? [] : [`has no ${name}`])),
    ...headerFaults(response.headers ?? {}, answer),
  ]
  if (type === undefined || !type.endsWith('json') || !response.content?.[type]) return faults
  const body: unknown = JSON.parse(text)
  const method = operation.method.toLowerCase()
  const place = ['paths', operation.path, method, 'responses', `${status}`, 'content', type, 'schema']
  return [
    ...faults,
    ...checkBody(pointerOf(place), body),
    ...(isJson(body) && status >= 400 ? problemFaults(body, answer) : []),
  ]
}

function typeFaults(
  { path, responses }: Operation,
  { status, text }: FuzzAnswer,
  type: string | undefined,
): string[] {
  const content = responses[status]?.content
  if (text === '') return content === undefined ? [] : [`answered ${status} without a body`]
  // Each provider is answered in its own words.
  const isTaken = path.startsWith('/payments/callback/') && status === 200
  const isDescribed = type !== undefined && content?.[type] !== undefined
  return isDescribed || isTaken ? [] : [`does not say that ${status} is ${type}`]
}

/** The JSON pointer of a place in the document, as a URL's fragment spells it. */
const pointerOf = (names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Headers that a status always has where the document names them. */
const ALWAYS: Readonly<Record<number, readonly string[]>> = {
  303: ['Location'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const headerFaults = (described: Json, { status, headers }: FuzzAnswer): string[] =>
  (ALWAYS[status] ?? []).flatMap((name) =>
    headers.has(name) === Object.hasOwn(described, name) ? [] : [`${status} and ${name} do not go together`],
  )

const problemFaults = (problem: Json, { status, headers }: FuzzAnswer): string[] => [
  ...(problem['status'] === status ? [] : [`says ${problem['status']} in a ${status}`]),
  ...(problem['requestId'] === headers.get('x-request-id') ? [] : ['names another request']),
]
