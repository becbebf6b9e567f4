import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** Somebody who calls. `renew` makes their credential anew when it is refused. */
export type Caller = { authorization: () => Promise<string>; renew: () => Promise<void> }

/** A request of the bench. One that takes an idempotency key is sent again under the same. */
type SoakRequest = {
  route: string
  id?: string
  query?: string
  by?: Caller
  body?: unknown
  /** Whether it takes an idempotency key. */
  isKeyed?: boolean
  /** Codes of refusals that are no finding. */
  mayRefuse?: readonly string[]
  /** Whether it was carried out already, where an earlier answer was lost and it is refused now. */
  isDone?: () => Promise<boolean>
}

export type Answer = { status: number; code: string | undefined; body: unknown; text: string }

export type Client = {
  /** Sends a request until its outcome is known. Undefined after a refusal that may be, and after a finding. */
  send: (request: SoakRequest) => Promise<Answer | undefined>
  counts: Map<string, number>
  /** Milliseconds that each answer took. */
  times: number[]
}

type Options = { url: string; perSecond: number; note: (finding: string) => void }

const TIMEOUT_MILLISECONDS = 30_000
const PATIENCE_MILLISECONDS = 240_000
const RENEWALS_MAX = 10
const PAUSE_MILLISECONDS = { first: 250, longest: 5_000 }

/** Returns a client of all people together, which sends so many requests a second at most. */
export function openClient({ url, perSecond, note }: Options): Client {
  const counts = new Map<string, number>()
  const times: number[] = []
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  let next = performance.now()
  const turn = async () => {
    const now = performance.now()
    next = Math.max(next + 1_000 / perSecond, now)
    await wait(next - now)
  }

  const attempt = async ({ route, id, query = '', by, body }: SoakRequest, key: string | undefined) => {
    await turn()
    const [method = 'GET', path = ''] = route.split(' ')
    const isForm = body instanceof FormData
    const sentAt = performance.now()
    try {
      const response = await fetch(`${url}${path.replace(/\{\w+\}/, id ?? '')}${query}`, {
        method,
        headers: {
          ...(by && { authorization: await by.authorization() }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      })
      const text = await response.text()
      times.push(performance.now() - sentAt)
      const { status } = response
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      const said: unknown = isJson ? JSON.parse(text) : undefined
      const code = (said as { code?: string } | undefined)?.code
      count(`${status}`)
      return { status, code, body: said, text }
    } catch {
      count('broken off')
      return undefined
    }
  }

  /** Sends a request once, and notes what must not be. Undefined where it is to be sent again. */
  const trial = async (
    request: SoakRequest,
    state: { key: string | undefined; isUnclear: boolean; tries: number },
  ) => {
    const { route, by, isDone, mayRefuse = [] } = request
    const answer = await attempt(request, state.key)
    const outcome = outcomeOf(answer, by, state.tries)
    if (outcome === 'signed out') await by?.renew()
    if (outcome === 'refused' && state.isUnclear && (await isDone?.())) return { answer }
    const isFault = outcome === 'broken' || (outcome === 'refused' && !mayRefuse.includes(`${answer?.code}`))
    if (isFault) note(`${route} answers ${answer?.status} ${answer?.text}`)
    state.isUnclear ||= outcome === 'unclear' || outcome === 'broken'
    if (outcome === 'refused') return { answer: undefined }
    return outcome === 'done' ? { answer } : undefined
  }

  const send = async (request: SoakRequest): Promise<Answer | undefined> => {
    const key = request.isKeyed ? randomUUID() : undefined
    const endsAt = performance.now() + PATIENCE_MILLISECONDS
    const state = { key, isUnclear: false, tries: 0 }
    for (; performance.now() < endsAt; state.tries += 1) {
      const end = await trial(request, state)
      if (end) return end.answer
      await wait(Math.min(PAUSE_MILLISECONDS.first * 2 ** state.tries, PAUSE_MILLISECONDS.longest))
    }
    note(`${request.route} is not carried out within ${PATIENCE_MILLISECONDS / 1_000} s`)
    return undefined
  }
  return { send, counts, times }
}

type Outcome = 'done' | 'unclear' | 'under way' | 'signed out' | 'refused' | 'broken'

/** What an answer means for its request. `unclear`: it may have been carried out. `broken`: so too, and it is a finding. */
function outcomeOf(answer: Answer | undefined, by: Caller | undefined, tries: number): Outcome {
  if (!answer) return 'unclear'
  const { status, code } = answer
  if (status < 300) return 'done'
  if (status === 401 && by && tries < RENEWALS_MAX) return 'signed out'
  if (code === 'idempotency_in_progress') return 'under way'
  if (status < 500) return 'refused'
  // Without a code it is the gateway whose function is gone.
  const passing = status === 502 ? [undefined, 'provider_unavailable'] : [undefined, 'unavailable']
  return status <= 503 && status > 500 && passing.includes(code) ? 'unclear' : 'broken'
}
