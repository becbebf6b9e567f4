import { isJson, type Json, listIn } from './described-api.ts'
import type { Pool } from './pool.ts'
import type { Random } from './random.ts'

export type MakeDeps = { random: Random; pool: Pool; resolve: (schema: Json) => Json }

/** The password of everyone whom the fuzzer registers: the document's example of one. */
export const PASSWORD = 'four quiet herons wade'

/** Beyond this depth only what must be there is made. */
const DEPTH_MAX = 6

/** A value that fits a schema, often at one of its bounds. `name` is its field's. */
export function makeValue(deps: MakeDeps, sent: Json, name = '', depth = 0): unknown {
  const { random, resolve } = deps
  const schema = resolve(sent)
  if ('const' in schema) return schema['const']
  const choices = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')]
  if (choices.length > 0) {
    const [first, ...others] = choices
    // The other choice is `null` most of the time.
    const choice = others.length === 1 && first && random.chance(0.8) ? first : random.pick(choices)
    return makeValue(deps, choice, name, depth)
  }
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
  if ('example' in schema && random.chance(0.3)) return schema['example']
  const type = random.pick([schema['type']].flat())
  switch (type) {
    case 'string':
      return makeText(deps, schema, name)
    case 'integer':
    case 'number':
      return makeNumber(random, schema)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return makeList(deps, schema, name, depth)
    default:
      return makeObject(deps, schema, depth)
  }
}

function makeObject(deps: MakeDeps, schema: Json, depth: number): Json {
  const { random } = deps
  const { properties, additionalProperties } = schema
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const share = depth > DEPTH_MAX ? 0 : random.pick([0, 0.3, 0.7, 1])
  const named = Object.entries(isJson(properties) ? properties : {}).flatMap(([field, part]) =>
    isJson(part) && (required.includes(field) || random.chance(share))
      ? [[field, makeValue(deps, part, field, depth + 1)]]
      : [],
  )
  const free = isJson(additionalProperties)
    ? Array.from({ length: random.below(3) }, (_, index) => [
        deps.pool.take('med', random) ?? `key${index}`,
        makeValue(deps, additionalProperties, '', depth + 1),
      ])
    : []
  return Object.fromEntries([...named, ...free])
}

function makeList(deps: MakeDeps, schema: Json, name: string, depth: number): unknown[] {
  const { random } = deps
  const { items, minItems, maxItems } = schema
  if (!isJson(items)) return []
  const least = Number(minItems ?? 0)
  const most = Math.min(Number(maxItems ?? 3), 50)
  const length = random.pick([least, Math.min(least + 1, most), Math.min(3, most), most])
  return Array.from({ length }, () => makeValue(deps, items, name, depth + 1))
}

function makeNumber(random: Random, schema: Json): number {
  const least = Number(schema['minimum'] ?? -1_000)
  const most = Number(schema['maximum'] ?? 1_000_000)
  const step = schema['type'] === 'integer' ? 1 : 0.5
  return random.pick([least, most, Math.min(least + step, most), Math.round((least + most) / 2), most, 500])
}

function makeText(deps: MakeDeps, schema: Json, name: string): string {
  const { random, pool } = deps
  const { pattern, format, minLength, maxLength } = schema
  const [, prefix] = /^\^([a-z]{3})_/.exec(String(pattern ?? '')) ?? []
  if (prefix !== undefined) return makeId(deps, prefix)
  if (typeof pattern === 'string') return random.pick(textsOf(PATTERNED, pattern))
  if (typeof format === 'string' && format !== 'binary') return random.pick(textsOf(FORMATTED, format))
  const known = pool.take(OTHER_NAMES[name] ?? name, random)
  if (known !== undefined && random.chance(0.6)) return known
  if (NAMED[name] !== undefined && random.chance(0.8)) return random.pick(NAMED[name])
  const least = Number(minLength ?? 0)
  const most = Math.min(Number(maxLength ?? 40), 6_000)
  const length = random.pick([
    least,
    least,
    Math.min(least + 1, most),
    Math.min(12, most),
    Math.min(12, most),
    most,
  ])
  return Array.from({ length: Math.max(length, least) }, (_, index) =>
    index === 0 ? 'a' : random.pick(LETTERS),
  ).join('')
}

/** An id of a kind, of an earlier answer most of the time. */
const makeId = ({ random, pool }: Pick<MakeDeps, 'random' | 'pool'>, prefix: string): string =>
  (random.chance(0.9) ? pool.take(prefix, random) : undefined) ??
  `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5${random.pick(['RBND', 'RBNE', '0000'])}`

const LETTERS = [...'abc xyzéßñ漢字ع🏠0', 'e\u0301']

const OTHER_NAMES: Readonly<Record<string, string>> = {
  cursor: 'nextCursor',
  upTo: 'lastAt',
  paymentRequestId: 'prq',
  ids: 'lst',
  agent: 'usr',
  account: 'usr',
  subject: 'lst',
  after: 'evt',
  newEmail: 'email',
  q: 'title',
}

/** Texts of fields whose schema leaves them open. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  provider: ['sandbox', 'stripe', 'standard-webhooks'],
  password: [PASSWORD],
  currentPassword: [PASSWORD],
  newPassword: [PASSWORD, 'seven slow ferries cross'],
  email: ['a@example.com', 'A.B+c@Example.COM'],
  country: ['CI', 'FR', 'US', 'ci'],
  title: ['House by the lagoon'],
  account: ['commission', 'fees', 'platform', 'provider:sandbox', 'payouts:by_hand'],
  iban: ['GB82 WEST 1234 5698 7654 32'],
  accountNumber: ['0000123456'],
  bbox: ['-180,-90,180,90'],
  code: ['123456'],
}

const PATTERNED: Readonly<Record<string, readonly string[]>> = {
  '^\\+[1-9]\\d{6,14}$': ['+2250700000000', '+14155550123', '+1234567', '+123456789012345'],
  '^[\\x21-\\x7e]{1,255}$': ['k', '~'.repeat(255)],
  '^[A-Z]{2}$': ['CI', 'FR', 'US', 'ZZ'],
  '^[0-9a-f]{64}$': ['0'.repeat(64), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  '^[0-9A-Za-z]{2,20}$': ['01', 'Z'.repeat(20)],
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': ['fr', 'es-419', 'zh-Hant-TW'],
}

const FORMATTED: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    '2026-11-20T17:00:00.000Z',
    '2027-01-31T08:00:00.000Z',
    '2099-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ],
  date: ['2026-11-20', '2026-11-01', '2024-02-29', '0001-01-01', '9999-12-31'],
  uri: ['https://receiver.example.com/hooks', 'http://localhost:3000/thanks?a=1#b', 'https://a.example'],
}

/** The texts of a form. What the document says as a pattern of its own is met by `-4,5,-3,6` or `5,-4`, or must be added. */
function textsOf(known: Readonly<Record<string, readonly string[]>>, form: string): readonly string[] {
  const texts = known[form]
  if (texts !== undefined) return texts
  const points = ['5.3261,-4.0197', '-90,-180', '-4.1,5.2,-3.9,5.4', '170,-10,-170,10'].filter((text) =>
    new RegExp(form).test(text),
  )
  if (points.length === 0) throw new Error(`Give the fuzzer texts of the form ${form}`)
  return points
}

/** A value with one part of it replaced, added or left out, so that it may fit its schema no longer. */
export function breakValue(random: Random, value: unknown): unknown {
  if (isJson(value) && Object.keys(value).length > 0 && random.chance(0.85)) {
    const name = random.pick(Object.keys(value))
    const { [name]: part, ...others } = value
    if (random.chance(0.1)) return others
    if (random.chance(0.1)) return { ...value, [random.pick(STRANGE_NAMES)]: random.pick(HOSTILE) }
    return { ...others, [name]: breakValue(random, part) }
  }
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    return value.map((item, index) => (index === 0 ? breakValue(random, item) : item))
  }
  if (typeof value === 'string' && random.chance(0.3)) return `${value}${random.pick(HOSTILE_TEXTS)}`
  return random.chance(0.7) ? random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE)
}

const STRANGE_NAMES = ['__proto__', 'constructor', 'toString', '', 'pk', 'a.b[0]', 'x'.repeat(300), '\ud800']

/** Texts that services of all kinds have stumbled over. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\u202eabc',
  '\u200b',
  '\ufeff',
  'İıſK',
  'ﷺ'.repeat(20),
  'e\u0301'.repeat(200),
  '🏳️‍🌈'.repeat(30),
  'x'.repeat(3_000),
  'x'.repeat(70_000),
  "' OR 1=1 --",
  '"; DROP TABLE listings; --',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '../../etc/passwd',
  '%00%0a%ff',
  '=1+1',
  'a\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e309',
  '00012',
  '9007199254740993',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-11-20T17:00:00+14:00',
  '9999-12-31T23:59:59.999-14:00',
  '+999999999999999999',
  'https://example.com:0/',
  'https://\ud800.example/',
  'https://a@[::1]/',
  'myapp://',
  'data:text/html,a',
  'a@b',
  'é@例え.jp',
  '"a b"@example.com',
  'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBNI',
  'usr_00000000000000000000000000',
  'pay_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  'evt_ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
  '*',
  '%',
  '#',
  '~',
  '\\',
  '"',
  '٣',
]

/** Values of other types, and numbers at the edges. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  1e15,
  1e15 + 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  [],
  [null],
  [[[[[[]]]]]],
  {},
  { __proto__: null, a: 1 },
  Array.from({ length: 1_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v'])),
]
