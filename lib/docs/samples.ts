import { exampleOf } from '#lib/http/document/example'
import type { DocumentedOperation, DocumentedSchemas } from './document.ts'
import { SAMPLE_ORIGIN } from './samples-origin.ts'

/**
 * One call of an operation with its required input, as `curl` and in TypeScript with a client typed from the document.
 */
export type Samples = { curl: string; typescript: string }

type Call = {
  method: string
  path: string
  operation: DocumentedOperation
  schemas: DocumentedSchemas
}

/** Writes the samples of an operation. */
export function samplesOf(call: Call): Samples {
  return { curl: curlOf(call), typescript: typescriptOf(call) }
}

const TOKEN_HEADER = 'Authorization: Bearer $TOKEN'

function curlOf(call: Call): string {
  const { method, operation } = call
  const lines = [
    `curl${method === 'GET' ? '' : ` --request ${method}`} '${SAMPLE_ORIGIN}${targetOf(call)}'`,
    ...(needsToken(operation) ? [`--header "${TOKEN_HEADER}"`] : []),
    ...Object.entries(valuesIn(call, 'header')).map(
      ([name, value]) => `--header ${quoted(`${name}: ${value}`)}`,
    ),
    ...bodyOptions(call),
  ]
  return lines.join(' \\\n  ')
}

/** Returns a text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function bodyOptions(call: Call): string[] {
  const { type, example } = bodyOf(call)
  if (type === undefined) return []
  if (type === 'application/json') {
    return ["--header 'Content-Type: application/json'", `--data ${quoted(JSON.stringify(example, null, 2))}`]
  }
  const option = type === 'multipart/form-data' ? '--form' : '--data-urlencode'
  return fieldsOf(call).map(({ name, value }) => `${option} ${quoted(`${name}=${value ?? '@photo.jpg'}`)}`)
}

function typescriptOf(call: Call): string {
  const { method, path, operation } = call
  const { type, example } = bodyOf(call)
  if (type !== undefined && type !== 'application/json') return formOf(call, type)
  const places = (['path', 'query', 'header'] as const)
    .map((place) => [place, valuesIn(call, place)] as const)
    .filter(([, values]) => Object.keys(values).length > 0)
  const options = {
    ...(places.length > 0 && { params: Object.fromEntries(places) }),
    ...(type !== undefined && { body: example }),
  }
  const given = Object.keys(options).length > 0 ? `, ${literalOf(options)}` : ''
  const comment = needsToken(operation) ? '' : '// No token is needed.\n'
  return `${comment}const { data, error } = await api.${method}('${path}'${given})`
}

/** Writes the call of a form, which is sent without the client: the types of the client know JSON bodies only. */
function formOf(call: Call, type: string): string {
  const isMultipart = type === 'multipart/form-data'
  const headers = needsToken(call.operation) ? '\n  headers: { Authorization: `Bearer ${token}` },' : ''
  return [
    `const form = new ${isMultipart ? 'FormData' : 'URLSearchParams'}()`,
    ...fieldsOf(call).map(
      ({ name, value }) => `form.append('${name}', ${value === null ? 'file' : literalOf(value)})`,
    ),
    `const answer = await fetch('${SAMPLE_ORIGIN}${targetOf(call)}', {`,
    `  method: '${call.method}',${headers}\n  body: form,`,
    '})',
  ].join('\n')
}

/**
 * Returns a value as TypeScript: names that need no quotes have none, and texts have single quotes. A text that holds a
 * quote or a `\u` escape keeps its double quotes.
 */
const literalOf = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(PLAIN_NAME, '$1$2:')
    .replace(TEXT, (text: string, inner: string) => (/'|\\["u]/.test(inner) ? text : `'${inner}'`))

/** The name that begins a line, such as `  "title":`. */
const PLAIN_NAME = /^(\s*)"([A-Za-z_$][\w$]*)":/gm
const TEXT = /"((?:[^"\\]|\\.)*)"/g

/** Whether an operation is refused without a token. A public one lists the empty alternative `{}`. */
const needsToken = ({ security }: DocumentedOperation): boolean =>
  security.every((alternative) => Object.keys(alternative).length > 0)

/** The path with its parameters and the query that must be sent. */
function targetOf(call: Call): string {
  const inPath = valuesIn(call, 'path')
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])))
  const query = new URLSearchParams(
    Object.entries(valuesIn(call, 'query')).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size > 0 ? `${path}?${query}` : path
}

function valuesIn({ operation, schemas }: Call, place: 'path' | 'query' | 'header'): Record<string, unknown> {
  const demanded = operation.parameters.filter((parameter) => parameter.in === place && parameter.required)
  return Object.fromEntries(
    demanded.map(({ name, schema }) => [name, HEADER_VALUES[name] ?? exampleOf(schema, schemas, 'required')]),
  )
}

const HEADER_VALUES: Readonly<Record<string, string>> = {
  'Idempotency-Key': '5f0c2b1e-7a4d-4c1b-9b0e-3d2f6a8c9e10',
}

function bodyOf({ operation }: Call): { type?: string; example?: unknown } {
  const [body] = Object.entries(operation.requestBody?.content ?? {})
  if (body === undefined) return {}
  const [type, media] = body
  return { type, example: media.example ?? {} }
}

/** A field of a form; a file has no value. */
type FormField = { name: string; value: string | null }

function fieldsOf({ operation, schemas }: Call): FormField[] {
  const [media] = Object.values(operation.requestBody?.content ?? {})
  const { properties = {}, required = [] } = media?.schema ?? {}
  if (media?.example) {
    return Object.entries(media.example).map(([name, value]) => ({ name, value: String(value) }))
  }
  return Object.entries(properties).flatMap(([name, schema]): FormField[] => {
    if (isFile(schema)) return [{ name, value: null }]
    if (!required.includes(name)) return []
    return [{ name, value: String(exampleOf(schema, schemas, 'required')) }]
  })
}

const isFile = (schema: unknown): boolean => JSON.stringify(schema).includes('"format":"binary"')
