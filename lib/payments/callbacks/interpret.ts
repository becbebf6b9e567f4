import type { Clock } from '#lib/kernel/clock'
import {
  type CircuitBreaker,
  callWhileClosed,
  isCircuitOpen,
  QUESTIONS_A_MINUTE,
  refuseWhileOpen,
} from '#lib/providers/circuit-breaker'
import type { AuthenticCallback } from './authenticate.ts'
import type { Interpreted, Subject } from './subject.ts'

export type InterpretDeps = { circuitBreaker: CircuitBreaker; now: Clock }

/**
 * The second stage of a callback: the meaning of one of its events. Where its subject leaves a question open, the provider is
 * asked. Throws `unavailable` when the provider does not answer.
 */
export async function interpret(
  { circuitBreaker, now }: InterpretDeps,
  { name, evidence }: AuthenticCallback,
  subject: Subject,
): Promise<Interpreted> {
  const weighed = await subject.weigh()
  if (weighed.kind !== 'open') return weighed
  const circuit = await circuitBreaker.of(name)
  // Anyone can send an unsigned claim: it causes a bounded number of questions.
  const mayAsk =
    evidence !== 'unsigned' ||
    (!isCircuitOpen(circuit, now()) &&
      (await circuitBreaker.count(name, 'questions', now())) <= QUESTIONS_A_MINUTE)
  if (!mayAsk) {
    await weighed.markDue()
    return { kind: 'postponed' }
  }
  try {
    refuseWhileOpen(circuit, name, now())
    return await callWhileClosed(circuit, circuitBreaker, name, now, weighed.read)
  } catch (error) {
    // The provider gives up calling back some day; the job then asks.
    await weighed.markDue()
    throw error
  }
}
