import * as z from 'zod'
import { type Samples, samplesOf } from './samples.ts'

const Schema = z.record(z.string(), z.unknown())

const Described = z.object({
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: Schema }),
    )
    .default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          schema: z.looseObject({ properties: Schema.optional(), required: z.array(z.string()).optional() }),
          example: z.unknown().optional(),
        }),
      ),
    })
    .optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default('') })),
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.unknown())),
})

export type Described = z.infer<typeof Described>

const Document = z.object({
  components: z.object({ schemas: Schema }),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Described)),
  webhooks: z.record(z.string(), z.record(z.string(), Described)),
})

export type ApiDocument = z.infer<typeof Document>
export type DescribedSchemas = ApiDocument['components']['schemas']

/** Parses the OpenAPI document. Throws where an operation has no id, no tag or no summary. */
export const readDocument = (document: unknown): ApiDocument => Document.parse(document)

/** An operation as the page introduces it; a webhook has the type of its event as its path. */
export type Operation = {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  /** Who may call it, in words; null for a webhook, which we call. */
  callers: string | null
  /** One call; null for a webhook. */
  samples: Samples | null
  /** What it may also be found by: its headers, statuses and the codes of its refusals. */
  words: string
}

/** Every operation in the order of the document. */
export const operationsOf = ({ paths, components: { schemas } }: ApiDocument): Operation[] =>
  flatten(paths, (method, path, operation) => ({
    callers: callersBy(operation.security.flatMap(nameOf)),
    samples: samplesOf({ method, path, operation, schemas }),
  }))

export const webhooksOf = ({ webhooks }: ApiDocument): Operation[] =>
  flatten(webhooks, () => ({ callers: null, samples: null }))

const flatten = (
  paths: ApiDocument['paths'],
  more: (method: string, path: string, operation: Described) => Pick<Operation, 'callers' | 'samples'>,
): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase()
      const { operationId: id, tags, summary, description } = operation
      const [tag] = tags
      return {
        id,
        method,
        path,
        tag,
        summary,
        description,
        words: wordsOf(operation),
        ...more(method, path, operation),
      }
    }),
  )

function wordsOf({ parameters, responses }: Described): string {
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const refusals = Object.entries(responses).flatMap(([status, { description }]) => [
    status,
    ...[...description.matchAll(/^`(\w+)`/gm)].map(([, code = '']) => code),
  ])
  return [...headers, ...refusals].join(' ')
}

/** The scheme of one alternative; an empty object is none. */
const nameOf = (alternative: Record<string, unknown>): string[] => {
  const names = Object.keys(alternative)
  return names.length === 0 ? ['none'] : names
}

const CALLERS: Record<string, string> = {
  platform: 'a user',
  console: 'an administrator',
  apiKey: 'an API key',
  none: 'anyone',
}

function callersBy(schemes: readonly string[]): string {
  if (schemes.includes('none')) return schemes.length === 1 ? 'anyone' : 'anyone, with or without a token'
  return schemes.map((scheme) => CALLERS[scheme] ?? scheme).join(' or ')
}
