import { isUtf8 } from 'node:buffer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import { type HttpEvent, header, limitBody } from '#lib/http/request'
import { DomainError } from '#lib/kernel/domain-error'

const JSON_BODY_MAX_BYTES = 256 * 1024

const parser = httpJsonBodyParser()

/**
 * Returns the JSON body of a request. A missing body reads as an empty object, so that the refusal names every missing field.
 * Throws `payload_too_large`, `unsupported_media_type` and `malformed_json`.
 */
export async function readJson(event: HttpEvent): Promise<unknown> {
  limitBody(event, JSON_BODY_MAX_BYTES)
  // Some clients begin UTF-8 with a byte order mark.
  const body = event.body?.replace(event.isBase64Encoded ? /^77u\// : /^\ufeff/, '')
  if (!body) return {}
  // A type may have spaces before its parameters (RFC 9110, section 5.6.6), which the parser does not know.
  const contentType = header(event, 'content-type')?.replace(/[ \t]+(?=;|$)/, '')
  const headers = { ...event.headers, ...(contentType !== undefined && { 'content-type': contentType }) }
  // The parser would replace bytes that are not UTF-8, and what the client did not send would be stored.
  if (event.isBase64Encoded && !isUtf8(Buffer.from(body, 'base64'))) {
    throw new DomainError('malformed_json', { detail: 'The body is not in UTF-8' })
  }
  const parsed = { ...event, headers, body }
  try {
    await parser.before?.({ event: parsed } as never)
  } catch (error) {
    throw refusalOf(error)
  }
  return parsed.body
}

/**
 * Returns the refusal without the error as its cause: the error holds the whole body, which may contain a password. The
 * parser forbids a key `__proto__` at any depth, and `constructor` if its value has a `prototype`.
 */
function refusalOf(error: unknown): DomainError {
  if (!(error instanceof Error)) return new DomainError('malformed_json')
  if ('statusCode' in error && error.statusCode === 415) {
    return new DomainError('unsupported_media_type', { detail: 'Send the body as application/json' })
  }
  if (error.message !== 'Forbidden key in JSON body') return new DomainError('malformed_json')
  const { data: key } = Object(error.cause)
  return new DomainError('malformed_json', {
    detail: `The body has a key "${key}" that could change a program's objects`,
  })
}
