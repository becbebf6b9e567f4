import type { Fact } from './fact.ts'

/** The most bytes of facts that a payment stores: its item holds 400 KB, and the rest of a payment takes some. */
const FACTS_MAX_BYTES = 300_000

/** More than the longest fact takes. */
const FACT_MAX_BYTES = 20_000

const bytesOf = (facts: Fact | readonly Fact[]): number => Buffer.byteLength(JSON.stringify(facts))

/** Whether facts leave no room for a further one of any length. */
export const areFull = (facts: readonly Fact[]): boolean => bytesOf(facts) > FACTS_MAX_BYTES - FACT_MAX_BYTES

/**
 * Returns the first of further facts that fit in addition to the stored ones. Only a provider that repeats itself in
 * new words has more.
 */
export function factsThatFit(stored: readonly Fact[], further: readonly Fact[]): Fact[] {
  let bytes = bytesOf(stored)
  return further.filter((fact) => {
    bytes += bytesOf(fact)
    return bytes <= FACTS_MAX_BYTES
  })
}
