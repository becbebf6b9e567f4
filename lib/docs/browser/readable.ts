type Json = Record<string, unknown>

/**
 * Returns the document of one operation or webhook, arranged for the viewer: refusals are links to the problems of this
 * page, nullable types are one type, and the headers that every answer has are left out. It holds only the schemas that
 * the operation needs, since a small document makes the viewer fast.
 */
export function readable(document: Json, operationId: string): Json {
  const { schemas = {} } = document['components'] as { schemas?: Record<string, Json> }
  const all = { ...(document['paths'] as Json), ...(document['webhooks'] as Json) }
  const paths = Object.fromEntries(
    Object.entries(all).flatMap(([path, methods]) => {
      const own = Object.entries(methods as Record<string, Json>).filter(
        ([, operation]) => operation['operationId'] === operationId,
      )
      return own.map(([method, operation]) => [
        path,
        { [method]: withShortAnswers(simplified(operation, schemas)) },
      ])
    }),
  )
  const named = namesIn(paths, schemas, new Set())
  const needed = Object.entries(schemas).filter(([name]) => named.has(name))
  return {
    openapi: document['openapi'],
    info: document['info'],
    servers: document['servers'],
    paths,
    components: { schemas: simplified(Object.fromEntries(needed), schemas) },
  }
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g

/** Returns the names of the schemas that a value refers to, directly or through others. */
function namesIn(value: unknown, schemas: Record<string, Json>, found: Set<string>): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
    if (found.has(name)) continue
    found.add(name)
    namesIn(schemas[name] ?? {}, schemas, found)
  }
  return found
}

const mapValues = (object: Json, change: (value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value as Json)]))

// The page shows an operation's description itself.
const withShortAnswers = ({ requestBody, description: _, ...operation }: Json): Json => ({
  ...operation,
  ...(requestBody !== undefined && { requestBody: withTitles(requestBody as Json) }),
  parameters: ((operation['parameters'] ?? []) as Json[]).map(withoutExample),
  responses: mapValues(operation['responses'] as Json, shortAnswer),
})

const IN_EVERY_ANSWER = ['X-Request-Id', 'API-Version']

function shortAnswer({ headers = {}, content, description, ...others }: Json): Json {
  const own = Object.entries(headers as Json).filter(([name]) => !IN_EVERY_ANSWER.includes(name))
  const isProblem = 'application/problem+json' in ((content ?? {}) as Json)
  return {
    ...others,
    // A line that begins with a problem's name, such as "`payments_open`: ", gets a link to the problem in its place.
    description: String(description).replace(/^`(\w+)`: /gm, '[`$1`](#$1) '),
    ...(own.length > 0 && !isProblem && { headers: Object.fromEntries(own) }),
    ...(content !== undefined && !isProblem && withTitles({ content })),
  }
}

/** Gives a body's schema without a name the title `Body`: Swagger UI shows the title on the button that folds it. */
const withTitles = ({ content, ...others }: Json): Json => ({
  ...others,
  content: mapValues(content as Json, ({ schema, ...media }) => ({
    ...media,
    schema: '$ref' in (schema as Json) ? schema : { title: 'Body', ...(schema as Json) },
  })),
})

/** Leaves out the example of a parameter: Swagger UI would fill the form with it. */
function withoutExample({ schema, ...parameter }: Json): Json {
  const { example: _, ...others } = schema as Json
  return { ...parameter, schema: others }
}

/** Replaces a long list of values, such as the currencies, by a sentence with the first three. */
function folded(schema: Json): Json {
  const { enum: values, ...others } = schema
  if (!Array.isArray(values) || values.length <= LISTED_VALUES_MAX) return schema
  const sentence = `One of ${values.length} values, such as ${values.slice(0, 3).join(', ')}`
  return { ...others, description: [others['description'], sentence].filter(Boolean).join('. ') }
}

const LISTED_VALUES_MAX = 40

/** Rewrites `anyOf` a schema and null as one schema whose `type` includes null. A reference in it is resolved. */
function simplified<Value>(value: Value, schemas: Record<string, Json>): Value {
  if (Array.isArray(value)) return value.map((each) => simplified(each, schemas)) as Value
  if (value === null || typeof value !== 'object') return value
  const schema = folded(mapValues(value as Json, (each) => simplified(each, schemas)))
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf)) return schema as Value
  const [first, second, ...more] = anyOf as Json[]
  const isOneOrNull = second?.['type'] === 'null' && more.length === 0
  const resolved = schemas[String(first?.['$ref']).replace('#/components/schemas/', '')] ?? first
  if (!isOneOrNull || typeof resolved?.['type'] !== 'string') return { ...others, anyOf } as Value
  return { ...resolved, ...others, type: [resolved['type'], 'null'] } as Value
}
