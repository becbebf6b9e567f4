import type * as z from 'zod'
import { type HttpEvent, limitBody } from '#lib/http/request'
import type { Input } from '#lib/http/spec'
import { DomainError } from '#lib/kernel/domain-error'
import { readJson } from './json-body.ts'
import type { MultipartPart } from './multipart.ts'
import { validationFailed } from './validation-problem.ts'

/** What an endpoint takes of a request, parsed. */
export type ParsedInput = {
  params: Record<string, unknown>
  query: unknown
  body: unknown
  files: MultipartPart[]
}

/**
 * Parses a request by what its endpoint takes: the path first, then query and body together, so that one problem
 * names everything that is wrong with either.
 */
export async function readInput(
  { params = {}, query, body, files }: Input,
  event: HttpEvent,
): Promise<ParsedInput> {
  const path = parseParams(params, event)
  const sent = body && (await readJson(event))
  if (files) limitBody(event, files.maxBytes)
  const parts = files ? await files.parse(event) : []
  // With its input an issue tells a field that is missing from one of another type.
  const parsedQuery = query?.safeParse(event.queryStringParameters ?? {}, { reportInput: true })
  const parsedBody = body?.safeParse(sent, { reportInput: true })
  const failures = [parsedQuery, parsedBody].flatMap((parsed) => parsed?.error ?? [])
  if (failures.length > 0) throw validationFailed(failures)
  return { params: path, query: parsedQuery?.data, body: parsedBody?.data, files: parts }
}

/** A path id of a wrong shape answers as an unknown one does: `not_found`. */
function parseParams(schemas: Record<string, z.ZodType>, event: HttpEvent): Record<string, unknown> {
  const given = event.pathParameters ?? {}
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const parsed = schema.safeParse(given[name])
      if (!parsed.success) throw new DomainError('not_found')
      return [name, parsed.data]
    }),
  )
}
