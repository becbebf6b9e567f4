import { type Extent, exampleOf } from './example.ts'
import type { DocumentedContent, Operation } from './operation.ts'
import type { Json } from './schemas.ts'

/** A document's paths, and its schemas by name. */
type Described = { paths: Record<string, Record<string, Operation>>; schemas: Json }

/**
 * Completes every JSON or form body of a document with an example: of a body that is sent the required fields, of an
 * answer all fields. A JSON schema without a name takes the operation's, so that generated clients have types to name.
 */
export function completeBodies({ paths, schemas }: Described): Described {
  const known: Json = { ...schemas }
  const nameOf = (operationId: string, ending: 'Body' | 'Answer') =>
    `${operationId[0]?.toUpperCase()}${operationId.slice(1)}${ending}`
  const complete = (content: DocumentedContent, name: string, extent: Extent): DocumentedContent =>
    mapValues(content, (body, type) => {
      if (!EXEMPLIFIED.has(type)) return body
      const example = exampleOf(body.schema, schemas, extent)
      const { example: _part, ...schema } = body.schema
      if ('$ref' in schema || type !== 'application/json') return { schema, example }
      known[name] = schema
      return { schema: { $ref: `#/components/schemas/${name}` }, example }
    })
  const completeOperation = ({
    operationId,
    requestBody,
    responses,
    ...operation
  }: Operation): Operation => ({
    ...operation,
    operationId,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: complete(requestBody.content, nameOf(operationId, 'Body'), 'required'),
      },
    }),
    responses: mapValues(responses, ({ content, ...response }) => ({
      ...response,
      ...(content && { content: complete(content, nameOf(operationId, 'Answer'), 'all') }),
    })),
  })
  const completed = mapValues(paths, (methods) => mapValues(methods, completeOperation))
  return { paths: completed, schemas: JSON.parse(JSON.stringify(sorted(known)), withoutParts) }
}

/** The types of bodies that have fields: an operation has one of them at most. */
const EXEMPLIFIED = new Set(['application/json', 'application/x-www-form-urlencoded'])

const mapValues = <Value, Result>(
  values: Record<string, Value>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** Leaves out the examples of objects, as a reviver of `JSON.parse`: they may be parts, which the bodies complete. */
const withoutParts = (key: string, value: unknown): unknown =>
  key === 'example' && typeof value === 'object' && !Array.isArray(value) && value !== null
    ? undefined
    : value

const sorted = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
