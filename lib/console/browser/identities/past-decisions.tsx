import type { Schema } from '../api/schemas.ts'
import { Grounds } from '../parts/grounds.tsx'
import { Empty } from '../parts/states.tsx'
import { Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

/** The earlier decisions on a person's identity, newest first. */
export const PastDecisions = ({ of }: { of: readonly Schema<'KycPastDecision'>[] }) => (
  <Section title={words.decision.history} of={of.length}>
    {of.length === 0 && <Empty>{words.decision.noHistory}</Empty>}
    <ol class="history">
      {of.map(({ id, kycStatus, decidedAt, decidedBy, ...grounds }) => (
        <li key={id}>
          <Status tone={toneOf(kycStatus)}>{codes.kycStatus[kycStatus]}</Status>
          {decidedAt !== null && <Time at={decidedAt} />} <span class="quiet">{decidedBy}</span>
          <Grounds of={grounds} about="identity" />
        </li>
      ))}
    </ol>
  </Section>
)
