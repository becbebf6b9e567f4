import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Document, isJson, type Json, listIn } from './described-api.ts'

/** Returns how a body differs from the schema at a JSON pointer of the document, one sentence for each fault. */
export type CheckBody = (pointer: string, body: unknown) => string[]

/** Compiles each schema of the document with its first body. A member that the document does not name is a fault. */
export function openSchemaCheck(document: Document): CheckBody {
  const ajv = new Ajv2020({ strict: false, verbose: true })
  formats.default(ajv)
  ajv.addSchema(closed(document), 'document')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, body) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, validate)
    if (validate(body)) return []
    const [first] = (validate.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length)
    if (first === undefined) return []
    const { instancePath, message, params, data } = first
    return [`body${instancePath} ${message} ${JSON.stringify(params)}: ${JSON.stringify(data)?.slice(0, 80)}`]
  }
}

/** Returns the document with its objects closed, but for those that are parts of others. */
function closed(document: Document): Json {
  const parts = new Set<unknown>(
    Object.values(document.components.schemas)
      .flatMap((schema) => listIn(schema, 'allOf'))
      .map(({ $ref }) => $ref)
      .filter((reference) => reference !== undefined),
  )
  const close = (value: unknown, name?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => close(item))
    if (!isJson(value)) return value
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        // Parts of a whole stay open: the whole is closed.
        key === 'allOf' ? part : key === 'example' ? undefined : close(part, key),
      ]),
    )
    const isWhole = isJson(value['properties']) || Array.isArray(value['allOf'])
    const isPart = parts.has(`#/components/schemas/${name}`)
    return isWhole && !isPart && !('additionalProperties' in value)
      ? { ...copy, unevaluatedProperties: false }
      : copy
  }
  return close(document) as Json
}
