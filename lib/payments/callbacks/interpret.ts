import type { Clock } from '#lib/kernel/clock'
import {
  type CircuitBreaker,
  callWhileClosed,
  isCircuitOpen,
  QUESTIONS_A_MINUTE,
  refuseWhileOpen,
} from '#lib/providers/circuit-breaker'
import type { AuthenticCallback } from './authenticate.ts'
import type { Interpreted, Subject, Weighed } from './subject.ts'

export type InterpretDeps = { circuitBreaker: CircuitBreaker; now: Clock }

/**
 * The second stage of a callback: interprets one of its events by the evidence of the callback, and asks the provider
 * where its subject leaves a question open. Throws `unavailable` when the provider does not answer.
 */
export async function interpret<Reading>(
  deps: InterpretDeps,
  callback: AuthenticCallback,
  subject: Subject<Reading>,
): Promise<Interpreted<Reading>> {
  const weighed = await subject.weigh()
  return weighed.kind === 'open' ? ask(deps, callback, weighed) : weighed
}

/** Asks an open question, unless the event is unsigned and its account may not be asked now. */
async function ask<Reading>(
  { circuitBreaker, now }: InterpretDeps,
  { name, evidence }: AuthenticCallback,
  { read, markDue }: Weighed<Reading> & { kind: 'open' },
): Promise<Interpreted<Reading>> {
  const circuit = await circuitBreaker.of(name)
  // Anyone can send an unsigned claim: it waits for the job.
  const mayAsk =
    evidence !== 'unsigned' ||
    (!isCircuitOpen(circuit, now()) &&
      (await circuitBreaker.count(name, 'questions', now())) <= QUESTIONS_A_MINUTE)
  if (!mayAsk) {
    await markDue()
    return { kind: 'postponed' }
  }
  try {
    refuseWhileOpen(circuit, name, now())
    return await callWhileClosed(circuit, circuitBreaker, name, now, read)
  } catch (error) {
    // The provider gives up calling back some day.
    await markDue()
    throw error
  }
}
