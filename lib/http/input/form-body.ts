import { type HttpEvent, limitBody } from '#lib/http/request'

const FORM_MAX_BYTES = 16 * 1024

/** Reads the fields of a page's form, as a browser posts them without script. The last value of a repeated field counts. */
export function readForm(event: HttpEvent): Record<string, string> {
  limitBody(event, FORM_MAX_BYTES)
  const body = event.body ?? ''
  const text = event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
  return Object.fromEntries(new URLSearchParams(text))
}
