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
      // The keys of `EXAMPLE_VALUES` spell a body as `logoutBody`.
      const lookupName = `${name[0]?.toLowerCase()}${name.slice(1)}`
      const example = exampleOf(body.schema, schemas, extent, [lookupName])
      if ('$ref' in body.schema || type !== 'application/json') return { ...body, example }
      known[name] = body.schema
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
  return { paths: completed, schemas: sorted(known) }
}

/** The types of bodies that have fields: an operation has one of them at most. */
const EXEMPLIFIED = new Set(['application/json', 'application/x-www-form-urlencoded'])

const mapValues = <Value, Result>(
  values: Record<string, Value>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

const sorted = (values: Json): Json =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
