import type * as z from 'zod'
import { answersJson } from '#lib/http/reply'
import { type HttpEvent, limitBody } from '#lib/http/request'
import type { Spec } from '#lib/http/spec'
import { DomainError } from '#lib/kernel/domain-error'
import { fieldErrors, validationFailed } from '#lib/kernel/validation-problem'
import { readForm } from './form-body.ts'
import { readJson } from './json-body.ts'
import type { MultipartPart } from './multipart.ts'
import { isStrict, parseQuery } from './query.ts'

/** The parsed input of an endpoint. */
export type ParsedInput = {
  params: Record<string, unknown>
  query: unknown
  body: unknown
  files: MultipartPart[]
}

/**
 * Parses a request by its endpoint's schemas: the path first, then query and body together, so that one problem names
 * all faults of both.
 */
export async function readInput(spec: Spec, event: HttpEvent): Promise<ParsedInput> {
  const { params, body, files, query: taken } = spec.input ?? {}
  const path = parseParams(params ?? {}, event)
  const sent = body && (answersJson(spec.output) ? await readJson(event) : readForm(event))
  if (files) limitBody(event, files.maxBytes, files.otherWay)
  const parts = files ? await files.parse(event) : []
  const query = parseQuery(taken, event.rawQueryString, isStrict(spec))
  const parsed = body?.safeParse(sent, { reportInput: true })
  const errors = [...query.errors, ...(parsed?.error ? fieldErrors(parsed.error) : [])]
  if (errors.length > 0) throw validationFailed(errors)
  return { params: path, query: query.data, body: parsed?.data, files: parts }
}

/** A path id of a wrong shape is answered like an unknown id: `not_found`. */
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
