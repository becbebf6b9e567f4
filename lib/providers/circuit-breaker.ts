import { HOUR_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** The circuit of a provider account: its failures and openings since the last success, and until when it is open. */
export type Circuit = { failures: number; openings: number; until: Timestamp | null }

/** The kinds of calls counted by the minute: those that unverified callbacks cause, and readings of the reconciliation. */
type Budget = 'questions' | 'readings'

/** Stores the circuits of provider accounts. Counts are exact, however many write. */
export type Circuits = {
  /** Reads the circuit of an account. */
  of: (provider: string) => Promise<Circuit>
  /** Counts a failure; returns the circuit with it. */
  countFailure: (provider: string) => Promise<Circuit>
  /** Opens the circuit, unless another function has opened it since it was seen. */
  open: (provider: string, seen: Circuit, next: Pick<Circuit, 'openings' | 'until'>) => Promise<void>
  /** Closes the circuit, unless another function has opened it since it was seen. */
  close: (provider: string, seen: Circuit) => Promise<void>
}

/** The circuits of provider accounts, and how often the accounts are called. */
export type CircuitBreaker = Circuits & {
  /** Adds calls to a budget, one by default; returns the calls of this minute with them. */
  count: (provider: string, budget: Budget, now: Date, calls?: number) => Promise<number>
}

const FAILURES_LIMIT = 5
const FIRST_OPENING_SECONDS = 30
const LONGEST_OPENING_SECONDS = HOUR_SECONDS
const TOO_MANY_REQUESTS = 429

/** The number of questions a minute that strangers can cause to one provider account. */
export const QUESTIONS_A_MINUTE = 20

/** The number of payments of one provider account that the reconciliation reads in a minute: 25 a second. */
export const READINGS_A_MINUTE = 1_500

/** The circuit of an account that has not failed. */
export const CLOSED: Circuit = { failures: 0, openings: 0, until: null }

/** For requests of administrators: the account is called even while its circuit is open. Failures are not stored. */
export const ALWAYS_CLOSED: Circuits = {
  of: async () => CLOSED,
  countFailure: async () => CLOSED,
  open: async () => undefined,
  close: async () => undefined,
}

/** Whether the circuit of an account is open now. */
export const isCircuitOpen = (circuit: Circuit, now: Date): circuit is Circuit & { until: Timestamp } =>
  circuit.until !== null && timestamp(now) < circuit.until

/**
 * Returns how a failure opens a circuit, undefined where it does not. A circuit opens for the time that the provider
 * asked for, or for 30 s after a 429 or five failures in a row. Each opening doubles the 30 s, up to an hour, except those
 * for which the provider named the time.
 */
function openingAfter(
  circuit: Circuit,
  error: unknown,
  now: Date,
): Pick<Circuit, 'openings' | 'until'> | undefined {
  const retryAfterSeconds = error instanceof DomainError ? error.options.retryAfterSeconds : undefined
  if (retryAfterSeconds) {
    const until = timestamp(secondsAfter(now, retryAfterSeconds))
    const isOpenLonger = circuit.until !== null && circuit.until >= until
    return isOpenLonger ? undefined : { openings: circuit.openings, until }
  }
  const mayOpen = circuit.failures >= FAILURES_LIMIT || isTooMany(error)
  if (isCircuitOpen(circuit, now) || !mayOpen) return undefined
  const seconds = Math.min(FIRST_OPENING_SECONDS * 2 ** circuit.openings, LONGEST_OPENING_SECONDS)
  return { openings: circuit.openings + 1, until: timestamp(secondsAfter(now, seconds)) }
}

/** Whether an answer 429 has caused an error. */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('status' in error && error.status === TOO_MANY_REQUESTS) || isTooMany(error.cause)
}

/** Throws `unavailable`, with the time to wait, while the circuit of an account is open. */
export function refuseWhileOpen(circuit: Circuit, provider: string, now: Date): void {
  if (!isCircuitOpen(circuit, now)) return
  const { until } = circuit
  throw new DomainError('unavailable', {
    cause: `${provider} is not called until ${until}`,
    retryAfterSeconds: Math.ceil((Date.parse(until) - now.getTime()) / 1000),
  })
}

/**
 * Calls a provider account, unless its circuit is open, and stores the outcome. Throws `unavailable` with the time to wait
 * while the circuit is open, and what the call throws.
 */
export async function callProvider<T>(
  circuits: Circuits,
  provider: string,
  now: () => Date,
  call: () => Promise<T>,
): Promise<T> {
  const circuit = await circuits.of(provider)
  refuseWhileOpen(circuit, provider, now())
  return callWhileClosed(circuit, circuits, provider, now, call)
}

/** Calls a provider account whose circuit was just read, and is closed. */
export async function callWhileClosed<T>(
  circuit: Circuit,
  circuits: Circuits,
  provider: string,
  now: () => Date,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await call()
    if (circuit.failures > 0) await circuits.close(provider, circuit)
    return answer
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') {
      const failed = await circuits.countFailure(provider)
      const next = openingAfter(failed, error, now())
      if (next) await circuits.open(provider, failed, next)
    }
    throw error
  }
}
