import * as z from 'zod'
import { PROBLEMS } from '#lib/http/problems'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'
import type { DocumentedContent } from './operation.ts'
import { type Json, jsonSchema, referenceTo } from './schemas.ts'

type Fields = Record<keyof FieldError, z.ZodType>

// Registers the schema `Problem`, to which `referenceTo` refers below.
z.object({
  type: z.string().meta({ description: 'A stable address that ends in the code' }),
  title: z.string().meta({ description: 'The same for every occurrence of a code' }),
  status: z.int(),
  code: z.enum(Object.keys(PROBLEMS)),
  detail: z.string().meta({ description: 'This occurrence' }),
  requestId: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() } satisfies Fields))
    .optional(),
}).meta({
  id: 'Problem',
  description: 'RFC 9457. Some codes add members: each has a schema of its own.',
})

/** The members that codes add to their problems. */
export type ProblemMembers = Readonly<Partial<Record<ProblemCode, z.ZodObject>>>

/** The problems of one status for clients: one of each code, told apart by `code`. */
export function problemContent(codes: readonly ProblemCode[]): DocumentedContent {
  const schemas = codes.map((code) => ({ $ref: placeOf(code) }))
  const [only, ...others] = schemas
  return { 'application/problem+json': { schema: only && others.length === 0 ? only : { oneOf: schemas } } }
}

/** Returns the schemas of the problems that a part of the document refers to, by name. */
export function problemSchemas(part: Json, members: ProblemMembers): Json {
  const text = JSON.stringify(part)
  const used = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => text.includes(`"${placeOf(code)}"`))
  return Object.fromEntries(used.map((code) => [nameOf(code), problemSchema(code, members[code])]))
}

function problemSchema(code: ProblemCode, members: z.ZodObject | undefined): Json {
  const own = jsonSchema(z.object({ code: z.literal(code), ...members?.shape }), 'output')
  const [, title] = PROBLEMS[code]
  return { description: title, allOf: [referenceTo('Problem', 'output'), own] }
}

const placeOf = (code: ProblemCode): string => `#/components/schemas/${nameOf(code)}`

/** Returns a code as a name: `reference_taken` is `ReferenceTakenProblem`. */
const nameOf = (code: ProblemCode): string =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`
