import * as z from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

/** Ids of existing records, by their prefix. */
export type KnownIds = Readonly<Record<string, string>>

/** Returns a value that most schemas accept, made of the schema's examples and types, without optional members. */
export function sampleOf(schema: z.ZodType, known: KnownIds = {}): unknown {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return sample(root, { known, shared: root.$defs ?? {} })
}

type Context = { known: KnownIds; shared: Readonly<Record<string, Schema>> }

function sample(part: Schema, context: Context): unknown {
  const alternatives = part.anyOf ?? part.oneOf ?? part.allOf ?? []
  const referenced = context.shared[part.$ref?.replace('#/$defs/', '') ?? '']
  const choice = alternatives[0] ?? referenced
  if (choice) return sample(choice as Schema, context)
  return idOf(part, context.known) ?? part['example'] ?? part.const ?? part.enum?.[0] ?? ofType(part, context)
}

function ofType(part: Schema, context: Context): unknown {
  if (part.type === 'array') return part.minItems ? [sample(part.items as Schema, context)] : []
  if (part.type === 'integer' || part.type === 'number') return Math.max(part.minimum ?? 0, 1)
  if (part.type === 'boolean') return true
  if (part.type === 'string') return textOf(part)
  const { properties = {}, required = [] } = part
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] as Schema, context)]))
}

function idOf({ pattern = '' }: Schema, known: KnownIds): string | undefined {
  // The pattern of an id begins with its prefix, such as `^usr_`, or with several: `^(?:usr|lst)_`. The first is taken.
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})[|)_]/.exec(pattern) ?? []
  return prefix && (known[prefix] ?? `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5RBND`)
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2030-01-05T10:00:00.000Z',
  date: '2030-01-05',
  email: 'awa@example.com',
  uri: 'https://example.com/',
}

const textOf = ({ format = '', minLength = 1 }: Schema): string =>
  FORMATS[format] ?? 'x'.repeat(Math.max(minLength, 1))
