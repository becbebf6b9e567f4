import type * as z from 'zod'
import { answersJson } from '#lib/http/reply'
import { type HttpEvent, header, limitBody } from '#lib/http/request'
import type { Spec } from '#lib/http/spec'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'
import { fieldErrors, validationFailed } from '#lib/kernel/validation-problem'
import { readJson } from './json-body.ts'
import type { MultipartPart } from './multipart.ts'

const FORM_MAX_BYTES = 16 * 1024

/** The parsed input of an endpoint. */
export type ParsedInput = {
  params: Record<string, unknown>
  query: unknown
  body: unknown
  files: MultipartPart[]
}

/**
 * Parses a request by its endpoint's schemas: the path first, then query and body together, so that one problem names
 * all faults of both. The body is a form if the endpoint answers pages, else JSON.
 */
export async function readInput(spec: Spec, event: HttpEvent): Promise<ParsedInput> {
  const { params, body, files, query: querySchema } = spec.input ?? {}
  const path = parseParams(params ?? {}, event)
  if (files || (body && answersJson(spec.output))) refuseCoding(event)
  const sent = body && (answersJson(spec.output) ? await readJson(event) : readForm(event))
  if (files) limitBody(event, files.maxBytes, files.adviceIfTooLarge)
  const parts = files ? await files.parse(event) : []
  const query = parseQuery(querySchema, event.rawQueryString, { strictly: isStrict(spec) })
  const parsed = body?.safeParse(sent, { reportInput: true })
  const errors = [...query.errors, ...(parsed?.error ? fieldErrors(parsed.error) : [])]
  if (errors.length > 0) throw validationFailed(errors)
  return { params: path, query: query.data, body: parsed?.data, files: parts }
}

/** Refuses a body that is compressed: its size would say nothing about what it takes to read. */
function refuseCoding(event: HttpEvent): void {
  const coding = header(event, 'content-encoding')?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return
  const detail = 'Send the body as it is, without Content-Encoding: compressed bodies are not read'
  throw new DomainError('unsupported_media_type', { detail })
}

/** Reads the fields of a page's form, as a browser posts them without script. The last value of a repeated field counts. */
function readForm(event: HttpEvent): Record<string, string> {
  limitBody(event, FORM_MAX_BYTES)
  const body = event.body ?? ''
  const text = event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
  return Object.fromEntries(new URLSearchParams(text))
}

/** A path id of a wrong shape is answered like an unknown id: `not_found`. */
function parseParams(schemas: Record<string, z.ZodType>, event: HttpEvent): Record<string, unknown> {
  const given = event.pathParameters ?? {}
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const parsed = schema.safeParse(given[name])
      if (!parsed.success) throw new DomainError('not_found')
      return [name, parsed.data]
    }),
  )
}

/**
 * Whether an endpoint refuses unknown parameters: a `GET` that answers JSON does, every other endpoint ignores them.
 */
export const isStrict = ({ route, output }: Pick<Spec, 'route' | 'output'>): boolean =>
  route.startsWith('GET ') && answersJson(output)

/** The parameters of a query: a text each, or all texts of a name that is given more than once. */
type Given = Record<string, string | string[]>

/** A parsed query, or its errors. */
type ParsedQuery = { data: unknown; errors: FieldError[] }

/**
 * Parses a query from its raw text, since the gateway joins repeated parameters by commas. Refuses a parameter that is
 * given twice and takes one value. With `strictly` it also refuses an unknown parameter: a filter dropped silently
 * gives wrong results.
 */
function parseQuery(
  schema: z.ZodObject | undefined,
  raw: string,
  { strictly }: { strictly: boolean },
): ParsedQuery {
  const given = givenIn(raw)
  const known = Object.keys(schema?.shape ?? {})
  const unknown = strictly ? Object.keys(given).filter((name) => !known.includes(name)) : []
  // With its input, an issue distinguishes a missing parameter from a wrong type.
  const parsed = schema?.safeParse(given, { reportInput: true })
  const faults = parsed?.error ? fieldErrors(parsed.error, repetitionMessage) : []
  return { data: parsed?.data, errors: [...unknown.map((name) => unknownAmong(known, name)), ...faults] }
}

function givenIn(raw: string): Given {
  const parameters = new URLSearchParams(raw)
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = parameters.getAll(name)
      return [name, more.length > 0 ? [first, ...more] : first]
    }),
  )
}

/**
 * Returns the message for several values of a parameter that takes one. `too_big` is the issue of a list with too many.
 */
const repetitionMessage = ({ path, input, code }: z.core.$ZodIssue): string | undefined =>
  path.length === 1 && Array.isArray(input) && code !== 'too_big' ? 'must be given once' : undefined

const unknownAmong = (known: readonly string[], name: string): FieldError => ({
  path: name.slice(0, 100),
  code: 'unrecognized',
  message:
    known.length > 0
      ? `is not known here; known are ${known.join(', ')}`
      : 'is not known: none is taken here',
})
