import type { Schema } from '../api/schemas.ts'
import { money } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { Facts, Id, Section, Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

type Fact = Schema<'CallbackFact'>

/** The interpreted contents of a provider's callback, in the reader's words. */
export const CallbackFacts = ({ of }: { of: readonly Fact[] }) => (
  <Section title={words.callbacks.said}>
    {of.length === 0 && <Empty>{words.callbacks.understoodNothing}</Empty>}
    {of.map((fact) => (
      <Facts key={`${fact.kind} ${fact.at}`} items={itemsOf(fact)} />
    ))}
  </Section>
)

const KINDS: Readonly<Record<string, string>> = words.callbacks.kinds
const STATES: Readonly<Record<string, string>> = { ...codes.refundStatus, ...codes.disputeState }

const stateText = (state: string | null): string | null => state && (STATES[state.toUpperCase()] ?? state)

const itemsOf = ({ kind, state, amount, currency, ...fact }: Fact) =>
  [
    [words.journal.action, [KINDS[kind] ?? kind, stateText(state)].filter(Boolean).join(': ')],
    [words.callbacks.sum, amount !== null && currency !== null ? money(amount, currency) : null],
    [words.journal.at, <Time key="at" at={fact.at} />],
    [words.callbacks.charge, fact.chargeId && <Id key="charge">{fact.chargeId}</Id>],
    [words.callbacks.refundId, fact.refundId && <Id key="refund">{fact.refundId}</Id>],
    [words.callbacks.dispute, fact.disputeId && <Id key="dispute">{fact.disputeId}</Id>],
    [words.payments.failure, [fact.code, fact.message].filter(Boolean).join(': ')],
    [words.payments.reason, fact.reason],
  ] as const
