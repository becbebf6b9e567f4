import * as z from 'zod'

const Described = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.unknown())),
})

const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Described)),
  webhooks: z.record(z.string(), z.record(z.string(), Described)),
})

export type ApiDocument = z.infer<typeof Document>

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
}

/** Every operation in the order of the document. */
export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  flatten(paths, (security) => callersBy(security.flatMap(nameOf)))

export const webhooksOf = ({ webhooks }: ApiDocument): Operation[] => flatten(webhooks, () => null)

const flatten = (
  paths: ApiDocument['paths'],
  callers: (security: Record<string, unknown>[]) => string | null,
): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          security,
          ...words
        },
      ]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        tag,
        summary: words.summary,
        description: words.description,
        callers: callers(security),
      }),
    ),
  )

/** The scheme of one alternative; an empty object is none. */
const nameOf = (alternative: Record<string, unknown>): string[] => {
  const names = Object.keys(alternative)
  return names.length === 0 ? ['none'] : names
}

const CALLERS: Record<string, string> = {
  platform: 'a user',
  console: 'an administrator',
  none: 'anyone',
}

function callersBy(schemes: readonly string[]): string {
  if (schemes.includes('none')) return schemes.length === 1 ? 'anyone' : 'anyone, with or without a token'
  return schemes.map((scheme) => CALLERS[scheme] ?? scheme).join(' or ')
}
