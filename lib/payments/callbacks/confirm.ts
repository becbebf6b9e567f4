import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '#lib/kernel/domain-error'
import type { Statement } from '#lib/payments/fact'
import type { FirstProvider, Question } from '#lib/payments/provider/first-port'
import type { KnownPayment, ProviderEvent } from '#lib/payments/provider/provider'

const TIMEOUT_MILLISECONDS = 5_000

/** An event that says something of a payment. */
export type Telling = ProviderEvent & { statement: Statement }

/**
 * What a provider's API says of a payment, in all of 5 s; nothing where it knows none, or cannot be asked. Throws
 * `unavailable` when it does not answer, so that whoever called back calls again.
 */
export async function tellings(
  provider: FirstProvider,
  question: Omit<Question, 'references'> & { references?: readonly string[] },
): Promise<Telling[]> {
  const { payment, references = [] } = question
  const ids = [...new Set([...references, ...(payment ? [payment.id, ...payment.references] : [])])]
  const events = await inTime(async () => provider.ask?.({ ...question, references: ids }))
  return (events ?? []).flatMap(({ statement, ...event }) => (statement ? [{ ...event, statement }] : []))
}

/** Does what may take an answer of a provider, in all of 5 s. Throws `unavailable` when that does not come. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = sleep(TIMEOUT_MILLISECONDS, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new DomainError('unavailable', { cause: 'The provider took too long' })
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work(), late])
  } catch (cause) {
    if (cause instanceof DomainError && cause.code === 'provider_unavailable') {
      throw new DomainError('unavailable', { cause })
    }
    throw cause
  } finally {
    stop.abort()
  }
}

/** A payment as its provider may be asked about it. */
export const knownPayment = ({
  id,
  amount,
  currency,
  phone,
  references,
  checkout,
  status,
  createdAt,
  expiresAt,
}: KnownPayment): KnownPayment => ({
  id,
  amount,
  currency,
  phone,
  references,
  checkout,
  status,
  createdAt,
  expiresAt,
})
