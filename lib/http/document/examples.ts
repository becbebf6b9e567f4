import { type Extent, exampleOf } from './example.ts'
import type { Json } from './schemas.ts'

type Content = Record<string, { schema: Json }>
type Operation = Json & {
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** Adds an example to every JSON body of a document's paths, sent or answered. */
export function withExamples(paths: Json, schemas: Json): Json {
  const of = (content: Content, extent: Extent): Content => {
    const json = content['application/json']
    if (!json) return content
    return {
      ...content,
      'application/json': { ...json, example: exampleOf(json.schema, schemas, extent) } as never,
    }
  }
  const operationOf = ({ requestBody, responses, ...operation }: Operation): Json => ({
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: of(requestBody.content, 'required') } }),
    responses: mapped(responses, ({ content, ...response }) => ({
      ...response,
      ...(content && { content: of(content, 'all') }),
    })),
  })
  return mapped(paths as Record<string, Record<string, Operation>>, (methods) => mapped(methods, operationOf))
}

const mapped = <Value, Result>(
  values: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
