/** Part of the document. */
export type Json = Record<string, unknown>

/** The content of a body by its type. */
type Content = Record<string, { schema: Json }>

/** A parameter of an operation. */
export type Parameter = { name: string; in: string; required?: boolean; schema: Json }

/** An operation as the document describes it. */
export type Operation = {
  method: string
  path: string
  /** Method and path. */
  route: string
  description?: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { headers?: Json; content?: Content }>
}

/** What the document describes: its operations, and its schemas by reference. */
export type DescribedApi = {
  document: Document
  operations: Operation[]
  /** The schema that a reference names; any other as it is. */
  resolve: (schema: Json) => Json
}

/** The document, as far as it is read here. */
export type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path' | 'route'>>>
  components: { schemas: Record<string, Json> }
}

/** Reads the document that a service answers. */
export async function readDescribedApi(url: string): Promise<DescribedApi> {
  const answer = await fetch(`${url}/openapi.json`)
  const document = (await answer.json()) as Document
  const { paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase()
      return { ...operation, method, path, route: `${method} ${path}` }
    }),
  )
  const resolve = (schema: Json): Json => {
    const name = String(schema['$ref'] ?? '').replace('#/components/schemas/', '')
    const named = components.schemas[name]
    return named === undefined ? schema : resolve(named)
  }
  return { document, operations, resolve }
}

/** Whether a value is an object of JSON. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas that a keyword lists. */
export const listIn = (schema: Json, keyword: string): Json[] => {
  const list = schema[keyword]
  return Array.isArray(list) ? list.filter(isJson) : []
}
