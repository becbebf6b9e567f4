import type { ApiDocument, DocumentedOperation } from './document.ts'
import { type Samples, samplesOf } from './samples.ts'

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
  /** Further words for the page's search: its headers, statuses and the codes of its refusals. */
  words: string
}

/** Returns every operation in the order of the document. */
export const operationsOf = ({ paths, components: { schemas } }: ApiDocument): Operation[] =>
  flatten(paths, (method, path, operation) => ({
    callers: callersBy(operation.security.flatMap(schemesOf)),
    samples: samplesOf({ method, path, operation, schemas }),
  }))

export const webhooksOf = ({ webhooks }: ApiDocument): Operation[] =>
  flatten(webhooks, () => ({ callers: null, samples: null }))

const flatten = (
  paths: ApiDocument['paths'],
  more: (
    method: string,
    path: string,
    operation: DocumentedOperation,
  ) => Pick<Operation, 'callers' | 'samples'>,
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

function wordsOf({ parameters, responses }: DocumentedOperation): string {
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  // The description of a status has a line for each problem, which begins with its code: "`not_found`: …".
  const refusals = Object.entries(responses).flatMap(([status, { description }]) => [
    status,
    ...[...description.matchAll(/^`(\w+)`/gm)].map(([, code = '']) => code),
  ])
  return [...headers, ...refusals].join(' ')
}

/** Returns the schemes of one way to authenticate: `none` for an empty object, the way without a token. */
const schemesOf = (alternative: Record<string, unknown>): string[] => {
  const schemes = Object.keys(alternative)
  return schemes.length === 0 ? ['none'] : schemes
}

const CALLERS: Record<string, string> = {
  platform: 'a user',
  console: 'an administrator',
  apiKey: 'an API key',
}

function callersBy(schemes: readonly string[]): string {
  if (schemes.includes('none')) return schemes.length === 1 ? 'anyone' : 'anyone, with or without a token'
  return schemes.map((scheme) => CALLERS[scheme] ?? scheme).join(' or ')
}
