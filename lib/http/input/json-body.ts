import httpJsonBodyParser from '@middy/http-json-body-parser'
import { type HttpEvent, limitBody } from '#lib/http/request'
import { DomainError } from '#lib/kernel/domain-error'

const JSON_BODY_MAX_BYTES = 256 * 1024

const parser = httpJsonBodyParser()

/**
 * Returns the JSON body of a request. A missing body reads as an empty object, so that the refusal names every missing field.
 * Throws `payload_too_large`, `unsupported_media_type` and `malformed_json`.
 */
export async function readJson(event: HttpEvent): Promise<unknown> {
  limitBody(event, JSON_BODY_MAX_BYTES)
  if (!event.body) return {}
  const parsed = { ...event }
  try {
    await parser.before?.({ event: parsed } as never)
  } catch (error) {
    throw refusalOf(error)
  }
  return parsed.body
}

/** Returns the refusal without the error as its cause: the error holds the whole body, which may contain a password. */
const refusalOf = (error: unknown): DomainError =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 415
    ? new DomainError('unsupported_media_type', { detail: 'Send the body as application/json' })
    : new DomainError('malformed_json')
