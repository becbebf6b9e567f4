import { readFileSync } from 'node:fs'
import { multipartBody } from '#test/support/multipart'
import type { Caller } from './callers.ts'
import type { Json, Operation, Parameter } from './described-api.ts'
import { breakValue, HOSTILE_TEXTS, type MakeDeps, makeValue } from './make-values.ts'
import type { Random } from './random.ts'

/** A request that the fuzzer sends. */
export type FuzzRequest = {
  operation: Operation
  caller: Caller
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body: string | FormData | Uint8Array<ArrayBuffer> | undefined
}

export const PICTURE = readFileSync(new URL('../../lib/local/demo/house.jpg', import.meta.url))

/** Makes a request of an operation, by somebody who may call it most of the time, valid or broken in one place or several. */
export function makeRequest(deps: MakeDeps, operation: Operation, callers: readonly Caller[]): FuzzRequest {
  const { random } = deps
  const caller = callerFor(random, operation, callers)
  const parametersIn = (place: string) => operation.parameters.filter((each) => each.in === place)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encoded(
      pathText(
        deps,
        parametersIn('path').find((parameter) => parameter.name === name),
      ),
    ),
  )
  const query = parametersIn('query').flatMap((parameter) => queryPairs(deps, parameter))
  if (random.chance(0.02)) query.push(['utm_source', 'letter'])
  const text = query.map((pair) => pair.map(encoded).join('=')).join('&')
  const { body, type } = bodyOf(deps, operation)
  return {
    operation,
    caller,
    target: text === '' ? path : `${path}?${text}`,
    headers: {
      ...(caller.authorization !== undefined && { authorization: caller.authorization }),
      ...(random.chance(0.01) && { authorization: random.pick(BAD_CREDENTIALS) }),
      ...(type !== undefined && { 'content-type': type }),
      ...(random.chance(0.1) && { accept: random.pick(ACCEPTED) }),
      ...(random.chance(0.1) && {
        'accept-language': random.pick(['fr', 'ar-EG,en;q=0.5', '*', ';;q=2', 'x'.repeat(600)]),
      }),
      ...Object.fromEntries(parametersIn('header').flatMap((parameter) => headerPair(deps, parameter))),
    },
    body,
  }
}

const ACCEPTED = [
  'text/html',
  'text/csv',
  'application/json',
  '*/*',
  'image/png',
  'text/html;q=x,,',
  'text/html,*/*;q=0.8',
]
const BAD_CREDENTIALS = [
  'Bearer',
  'Bearer a.b.c',
  'Bearer pak_x',
  'Basic YTpi',
  'bearer  x',
  `Bearer ${'x'.repeat(5_000)}`,
]

function callerFor(random: Random, { security }: Operation, callers: readonly Caller[]): Caller {
  if (random.chance(0.12)) return random.pick(callers)
  const schemes = security.flatMap((each) => {
    const [scheme = 'none'] = Object.keys(each)
    return [scheme]
  })
  const scheme = random.pick(schemes)
  const fitting = callers.filter((caller) => caller.scheme === scheme)
  // Who may do everything gets furthest.
  const [first] = fitting
  return scheme === 'console' && first && random.chance(0.7) ? first : random.pick(fitting)
}

function pathText(deps: MakeDeps, parameter: Parameter | undefined): string {
  const { random } = deps
  if (parameter === undefined || random.chance(0.05)) return random.pick(HOSTILE_TEXTS).slice(0, 300) || ' '
  const made = makeValue(deps, { ...parameter.schema, example: undefined }, parameter.name)
  return parameter.name === 'provider'
    ? random.pick(['sandbox', 'stripe', 'nobody'])
    : `${made}`.slice(0, 300) || 'x'
}

function queryPairs(deps: MakeDeps, { name, required, schema }: Parameter): [string, string][] {
  const { random } = deps
  if (!random.chance(required ? 0.95 : 0.2)) return []
  const made = random.chance(0.85)
    ? makeValue(deps, schema, name)
    : random.pick(HOSTILE_TEXTS).slice(0, 3_000)
  const values = Array.isArray(made) ? made : [made]
  if (random.chance(0.02)) values.push('again')
  return values.map((value) => [name, textOf(value)])
}

function headerPair(deps: MakeDeps, { name, required }: Parameter): [string, string][] {
  const { random, pool } = deps
  if (name === 'Idempotency-Key') {
    if (!random.chance(required ? 0.97 : 0.5)) return []
    const key = random.chance(0.8)
      ? `key-${random.below(2 ** 31)}`
      : random.pick(['k', 'same', '~'.repeat(256), 'é'])
    return [['idempotency-key', key]]
  }
  if (!random.chance(0.3)) return []
  return [
    [
      name.toLowerCase(),
      random.pick([pool.take('etag', random) ?? '"1"', '*', '"0"', 'W/"1"', '"', '1, "2"']),
    ],
  ]
}

function bodyOf(
  deps: MakeDeps,
  { requestBody }: Operation,
): { body: FuzzRequest['body']; type: string | undefined } {
  const { random } = deps
  const [described] = Object.entries(requestBody?.content ?? {})
  if (described === undefined) return { body: undefined, type: undefined }
  const [type, { schema }] = described
  if (random.chance(0.03)) return { body: undefined, type: random.pick([type, undefined]) }
  if (random.chance(0.03))
    return {
      body: random.pick(GARBAGE),
      type: random.pick([type, 'text/plain', 'a', 'application/json; charset=x']),
    }
  if (type === 'multipart/form-data') {
    return random.chance(0.7) ? malformedForm(random) : { body: formOf(deps, schema), type: undefined }
  }
  const made = makeValue(deps, schema, '')
  const value = random.chance(0.25) ? breakValue(random, made) : made
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(value ?? {}).map(([name, part]): [string, string] => [name, textOf(part)])
    return { body: `${new URLSearchParams(fields)}`, type }
  }
  return { body: JSON.stringify(value), type: type === '*/*' ? 'application/json' : type }
}

const GARBAGE = [
  '{',
  '[]',
  'null',
  '"text"',
  '1e999',
  '{"a":1,"a":2}',
  '\ufeff{}',
  `${'['.repeat(20_000)}`,
  'a=1&b=2',
  `"${'x'.repeat(300_000)}"`,
]

function formOf(deps: MakeDeps, schema: Json): FormData {
  const { random } = deps
  const form = new FormData()
  const bytes = random.pick([
    PICTURE,
    PICTURE.subarray(0, 2_000),
    Buffer.from('%PDF-1.7'),
    Buffer.alloc(0),
    Buffer.from('<svg/>'),
  ])
  // Another mark makes another picture.
  const file = new Blob([bytes, `${random.below(2 ** 31)}`])
  form.append('file', file, random.pick(['house.jpg', '../../a', 'a\u0000.pdf', 'İ.png']))
  const { properties = {} } = schema
  for (const [name, part] of Object.entries(properties as Record<string, Json>)) {
    if (name !== 'file' && random.chance(0.7))
      form.append(name, textOf([makeValue(deps, part, name)].flat()[0] ?? ''))
  }
  return form
}

const DISPOSITION = 'Content-Disposition: form-data; name="file"'

/** Headers of parts that name no field, or do it as few clients do. */
const PART_HEADERS: readonly (readonly string[])[] = [
  [],
  ['X: y'],
  ['nonsense', DISPOSITION],
  ['Content-Disposition: attachment; name="file"'],
  ['Content-Disposition: file; name="file"'],
  ['Content-Disposition: multipart/form-data; name="file"'],
  ['Content-Disposition: form-data; name="__proto__"'],
  [`${DISPOSITION}; filename="a\nb"`],
  [`${DISPOSITION}; filename*=x''%`],
  [`X: ${'x'.repeat(100_000)}`, DISPOSITION],
  [...Array<string>(2_001).fill('X:'), DISPOSITION],
  [DISPOSITION, 'Content-Type: multipart/mixed; boundary=c'],
  [DISPOSITION, 'Content-Transfer-Encoding: base64'],
  [DISPOSITION],
]

/** A form that is cut off, or one with parts that no form has. */
function malformedForm(random: Random) {
  const parts = Array.from({ length: 1 + random.below(4) }, () => ({
    headers: random.pick(PART_HEADERS),
    content: random.pick(['', '1', 'x'.repeat(65_536), PICTURE]),
  }))
  const whole = multipartBody(random.pick(['b', 'b', 'b', 'b ', 'c']), parts, {
    eol: random.pick(['\r\n', '\r\n', '\r\n', '\n']),
    preamble: random.pick(['', '', '\r\n', '-', '--b--']),
  })
  const body = random.chance(0.2) ? whole.subarray(0, random.below(whole.length)) : whole
  const type = random.pick(['b', 'b', 'b', '"b"', ''])
  return { body: new Uint8Array(body), type: `multipart/form-data; boundary=${type}` }
}

/** A value as a form or a query spells it. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A text as part of a path or a query; half a character has no spelling there. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** The request as a command. */
export function curlOf(url: string, { operation, target, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const fields = Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`)
  const sent =
    body instanceof FormData
      ? [...body].map(
          ([name, value]) =>
            `--form ${quoted(`${name}=${typeof value === 'string' ? value : '@lib/local/demo/house.jpg'}`)}`,
        )
      : body === undefined
        ? []
        : [`--data-raw ${quoted(`${typeof body === 'string' ? body : Buffer.from(body)}`.slice(0, 4_000))}`]
  return [
    'curl --include',
    `--request ${operation.method}`,
    quoted(`${url}${target}`),
    ...fields,
    ...sent,
  ].join(' ')
}
