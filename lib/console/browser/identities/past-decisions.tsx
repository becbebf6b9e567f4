import type { Schema } from '../api/schemas.ts'
import { Empty } from '../parts/states.tsx'
import { Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, reasonLabel, words } from '../words/words.ts'

/** What was decided on a person's identity before, newest first. */
export const PastDecisions = ({ of }: { of: readonly Omit<Schema<'KycPastDecision'>, 'expiresAt'>[] }) => (
  <Section title={words.decision.history} of={of.length}>
    {of.length === 0 && <Empty>{words.decision.noHistory}</Empty>}
    <ol class="history">
      {of.map(({ id, kycStatus, decidedAt, decidedBy, reasons, message, note }) => (
        <li key={id}>
          <Status tone={toneOf(kycStatus)}>{codes.kycStatus[kycStatus]}</Status>
          {decidedAt !== null && <Time at={decidedAt} />} <span class="quiet">{decidedBy}</span>
          {reasons.length > 0 && <p>{reasons.map(reasonLabel).join(' · ')}</p>}
          {message !== null && <p dir="auto">{message}</p>}
          {note !== null && (
            <p class="quiet" dir="auto">
              {words.decision.note}: {note}
            </p>
          )}
        </li>
      ))}
    </ol>
  </Section>
)
