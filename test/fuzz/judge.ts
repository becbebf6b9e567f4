import { checkAnswer, type FuzzAnswer } from './check-answer.ts'
import type { FuzzRequest } from './make-request.ts'
import type { Pool } from './pool.ts'
import type { Place, Report } from './report.ts'
import type { CheckBody } from './schema-check.ts'

/** Sends a request, holds its answer to the document, and keeps what later requests may send. */
export type Judge = (request: FuzzRequest, place: Place) => Promise<FuzzAnswer>

type Deps = { url: string; checkBody: CheckBody; pool: Pool; report: Report }

const TIMEOUT_MILLISECONDS = 60_000

export const openJudge =
  ({ url, checkBody, pool, report }: Deps): Judge =>
  async (request, place) => {
    const answer = await send(url, request)
    const { status, headers, text } = answer
    report.count(status)
    const isForm = request.operation.requestBody?.content['multipart/form-data'] !== undefined
    if (isForm && status === 503 && (await send(url, request)).status === 503)
      report.note(place, request, answer, 'does not read a form in its time')
    for (const fault of checkAnswer(checkBody, request, answer)) report.note(place, request, answer, fault)
    if (headers.get('content-type')?.includes('json') && text !== '') pool.keep(JSON.parse(text))
    pool.keep({ etag: headers.get('etag') ?? undefined })
    if (isCarriedOut(answer) && request.headers['idempotency-key'] !== undefined) {
      const again = await send(url, request)
      if (!isReplay(again, answer))
        report.note(place, request, again, `answers a replay otherwise: ${status} ${text}`)
    }
    return answer
  }

/** Whether what a request asked for was done. */
export const isCarriedOut = ({ status }: FuzzAnswer): boolean => status >= 200 && status < 300

const isReplay = (again: FuzzAnswer, first: FuzzAnswer): boolean =>
  again.status === first.status &&
  again.text === first.text &&
  again.headers.get('idempotent-replayed') === 'true'

async function send(url: string, { operation, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const answer = await fetch(`${url}${target}`, {
    method: operation.method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && operation.method !== 'GET' && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
