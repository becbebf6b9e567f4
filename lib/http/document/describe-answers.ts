import { isStrict } from '#lib/http/input/read-input'
import { PROBLEMS } from '#lib/http/problems'
import { type Answers, answerOf, answersJson, answersPage } from '#lib/http/reply'
import type { CallbackSpec, Spec } from '#lib/http/spec'
import type { ProblemCode } from '#lib/kernel/domain-error'
import { type HeaderName, headersOf } from './headers.ts'
import type { DocumentedContent, Responses } from './operation.ts'
import { problemContent } from './problem-schema.ts'
import { jsonSchema } from './schemas.ts'

/** Returns the responses of an endpoint: its successes, and every refusal of its own or of its input. */
export const describeAnswers = (spec: Spec): Responses => ({
  ...successes(spec),
  ...refusals(impliedProblems(spec), {
    headers: spec.honours === 'If-Match' ? { 412: ['ETag'] } : {},
    isPage: answersPage(spec.output),
  }),
})

/**
 * Returns the responses of a callback by one of its methods. Its success has the form that the provider expects. Every
 * provider may `POST`; any other method is refused for providers that do not use it.
 */
export const describeCallbackAnswers = ({ problems }: CallbackSpec, method: string): Responses => ({
  200: { description: 'Received', headers: headersOf([]) },
  ...refusals([
    ...problems,
    'payload_too_large',
    ...(method === 'POST' ? [] : ['method_not_allowed' as const]),
    ...EVERYWHERE,
  ]),
})

/** `forbidden` is the answer to a request that goes around the CloudFront distribution in front of the API. */
const EVERYWHERE: readonly ProblemCode[] = ['forbidden', 'internal', 'unavailable']

const SUCCESS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  303: 'See `Location`',
  304: 'Not modified',
}

function successes({ output, honours, idempotency, location }: Spec): Responses {
  const declared = Object.entries<Answers[number]>(output)
  const notModified = honours === 'If-None-Match' ? [['304', null] as const] : []
  const located: HeaderName[] = location ? ['Location'] : []
  const replayed: HeaderName[] = idempotency ? ['Idempotent-Replayed'] : []
  return Object.fromEntries(
    [...declared, ...notModified].map(([status, answer]) => [
      status,
      {
        description: SUCCESS[status] ?? 'Success',
        headers: headersOf([
          ...headersWith(status, answer),
          ...replayed,
          ...(status === '201' ? located : []),
        ]),
        ...contentOf(answer),
      },
    ]),
  )
}

function headersWith(status: string, answer: Answers[number]): HeaderName[] {
  if (status === '303') return ['Location']
  return status === '304' || answerOf(answer).kind === 'versioned' ? ['ETag'] : []
}

/** Returns the content types of an answer that has a body, each with its schema. */
function contentOf(declared: Answers[number]): { content?: DocumentedContent } {
  const answer = answerOf(declared)
  if (answer.kind === 'empty') return {}
  if (answer.kind === 'content')
    return { content: Object.fromEntries(answer.contentTypes.map((type) => [type.replace(/;.*/, ''), TEXT])) }
  const json = { 'application/json': { schema: jsonSchema(answer.schema, 'output') } }
  return { content: { ...json, ...ALTERNATIVES[answer.kind] } }
}

const TEXT = { schema: { type: 'string' } }

/** The forms that the caller may prefer to JSON. */
const ALTERNATIVES = { json: {}, versioned: {}, filed: { 'text/csv': TEXT }, paged: { 'text/html': TEXT } }

/** Returns the problems that follow from an endpoint's input, access and headers. */
function impliedProblems(spec: Spec): ProblemCode[] {
  const { access, problems = [], honours, idempotency } = spec
  const { params, query, body, files } = spec.input ?? {}
  const implied: [boolean, ProblemCode[]][] = [
    [params !== undefined, ['not_found']],
    [body !== undefined || query !== undefined || isStrict(spec), ['validation_failed']],
    [body !== undefined, ['payload_too_large']],
    // An endpoint that answers pages takes a form, and any text can be read as a form.
    [body !== undefined && answersJson(spec.output), ['malformed_json', 'unsupported_media_type']],
    [
      files !== undefined,
      ['validation_failed', 'malformed_multipart', 'payload_too_large', 'unsupported_media_type'],
    ],
    [honours === 'If-Match', ['version_conflict']],
    [idempotency !== undefined, ['validation_failed', 'idempotency_key_reused', 'idempotency_in_progress']],
    [idempotency?.isDemanded === true, ['idempotency_key_required']],
  ]
  const applying = implied.flatMap(([applies, codes]) => (applies ? codes : []))
  return [...new Set<ProblemCode>([...access.problems, ...applying, ...problems, ...EVERYWHERE])]
}

function refusals(
  codes: readonly ProblemCode[],
  { headers = {}, isPage = false }: { headers?: Record<number, HeaderName[]>; isPage?: boolean } = {},
): Responses {
  const byStatus = Map.groupBy(codes, (code) => statusAndTitleOf(code).status)
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `\`${code}\`: ${statusAndTitleOf(code).title}`).join('\n\n'),
        headers: headersOf(headers[status] ?? headersOfRefusal(status, same)),
        content: { ...problemContent(same), ...(isPage && { 'text/html': TEXT }) },
      },
    ]),
  )
}

const statusAndTitleOf = (code: ProblemCode) => {
  const [status, title] = PROBLEMS[code]
  return { status, title }
}

/** A refusal of a signature has no `WWW-Authenticate`: that header asks for a credential, and a signature is none. */
const headersOfRefusal = (status: number, codes: readonly ProblemCode[]): HeaderName[] =>
  codes.every((code) => code === 'invalid_signature') ? [] : (REFUSAL_HEADERS[status] ?? [])

const REFUSAL_HEADERS: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}
