import type * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { sha256Bytes } from '#lib/kernel/signatures'
import type { ProviderHttp, ProviderRequest, RefusedPayment, StartedRefund } from '#lib/providers/provider'
import { clip, jsonOf, jsonWithTextNumbers } from './events.ts'

/** Returns the header of HTTP Basic authentication. */
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

/**
 * Calls a provider's JSON API with the headers that every request to it carries. A `POST` with headers of its own may be
 * sent twice, since they carry its idempotency key, and one without if it is given `RETRY`. Other methods always may; for
 * `GET` that is the default of `http`.
 */
export const jsonApi = (http: ProviderHttp, base: string, headers: Record<string, string>) => ({
  get: (path: string) => http({ method: 'GET', url: base + path, headers }),
  delete: (path: string) => http({ method: 'DELETE', url: base + path, headers, repeatable: true }),
  patch: (path: string, body: unknown) =>
    http({
      method: 'PATCH',
      url: base + path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      repeatable: true,
    }),
  post: (
    path: string,
    body: unknown,
    ownHeaders?: Record<string, string>,
    options?: Pick<ProviderRequest, 'answersWith' | 'repeatable'>,
  ) =>
    http({
      method: 'POST',
      url: base + path,
      headers: { ...headers, 'content-type': 'application/json', ...ownHeaders },
      body: JSON.stringify(body),
      repeatable: ownHeaders !== undefined,
      ...options,
    }),
  put: (path: string, body: unknown) =>
    http({
      method: 'PUT',
      url: base + path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      repeatable: true,
    }),
})

/** For a `POST` without headers of its own that does no more if it is sent twice. */
export const RETRY = { repeatable: true } as const

/** For requests that move money, whose key a provider may have forgotten: they are never sent a second time. */
export const NO_RETRY = { repeatable: false } as const

export type Answer = { status: number; body: string }

/** Reads a provider's answer. Throws `provider_unavailable` for a refusal and for an undocumented answer. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  const parsed = answer.status < 300 ? schema.safeParse(jsonOf(Buffer.from(answer.body))) : undefined
  return parsed?.success ? parsed.data : fail(answer)
}

/** Throws `provider_unavailable` for an answer that is no success. */
export function requireSuccess(answer: Answer): void {
  if (answer.status >= 300) fail(answer)
}

function fail({ status, body }: Answer): never {
  const cause = Object.assign(new Error(`The provider answered ${[status, ...codesIn(body)].join(' ')}`), {
    status,
  })
  throw new DomainError('provider_unavailable', { cause })
}

/** Returns the words by which a refusal names its reason. The log gets no other field: it may repeat keys and numbers. */
const codesIn = (body: string): string[] =>
  [...body.slice(0, 2000).matchAll(CODE)].map(([, code = '']) => code).slice(0, 5)

/** A field that holds such a word, as in `"error_code": "CARD_DECLINED"`. */
const CODE = /"(?:code|error|error_?code|error_?type|issue|name|status|title|type)" ?: ?"([\w .-]{1,60})"/gi

/** Reads a provider's answer as `readAnswer` does, with every number as its text. */
export function readAnswerWithTextNumbers<Schema extends z.ZodType>(
  schema: Schema,
  answer: Answer,
): z.output<Schema> {
  const exact = jsonWithTextNumbers(answer.body)
  return readAnswer(schema, { ...answer, body: exact === undefined ? answer.body : JSON.stringify(exact) })
}

/** Reads a provider's answer as `readAnswer` does; undefined for a 404. */
export const readFound = <Schema extends z.ZodType>(
  schema: Schema,
  answer: Answer,
): z.output<Schema> | undefined => (answer.status === 404 ? undefined : readAnswer(schema, answer))

/** Reads a provider's answer as `readFound` does, with every number as its text. */
export function readFoundWithTextNumbers<Schema extends z.ZodType>(
  schema: Schema,
  answer: Answer,
): z.output<Schema> | undefined {
  return answer.status === 404 ? undefined : readAnswerWithTextNumbers(schema, answer)
}

/** Whether a provider refuses permanently, or does not know what a request names (404): a repetition would be refused, too. */
export const isRefusal = ({ status }: Answer): boolean => [400, 404, 422].includes(status)

export type Reason = { code?: string | number | null | undefined; message?: string | null | undefined }

/**
 * Returns the refusal in the answer to the start of a payment; undefined for every other answer. `reason` reads the
 * provider's code and message from the answer's JSON. Refused credentials (401, 403) and an unknown address (404) are no
 * refusal of the payment.
 */
export function refusalOf(
  answer: Answer,
  reason: z.ZodType<Reason>,
  otherwise = 'The provider refused the payment.',
): RefusedPayment | undefined {
  if (![400, 402, 422].includes(answer.status)) return undefined
  const { code, message } = reason.safeParse(jsonOf(Buffer.from(answer.body))).data ?? {}
  return {
    refused: {
      providerCode: code == null || code === '' ? null : clip(String(code), ''),
      message: clip(message, otherwise),
    },
  }
}

/** A refund that the provider will not make. */
export const REFUSED: StartedRefund = { state: 'failed', providerRefundId: null }

/**
 * Derives a UUID in the form of version 4 from an id of ours, always the same, for providers that want a UUID as a key.
 */
export function uuidOf(id: string): string {
  const bytes = sha256Bytes(id).subarray(0, 16)
  // RFC 9562: four bits hold the version, two the variant.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
