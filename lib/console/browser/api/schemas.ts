import type { components } from '../generated/api.ts'

type Schemas = components['schemas']

/** A schema of the OpenAPI document, by its name. */
export type Schema<Name extends keyof Schemas> = Schemas[Name]
