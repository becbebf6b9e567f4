import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { linkTo } from '../app/router.ts'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { money } from '../parts/format.ts'
import { Id, Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Props = { payment: Schema<'PaymentInFull'> }
type Outcome = Schema<'RefundResolution'>['outcome']

/** The refunds of a payment; a refund unknown to its provider is resolved here. */
export const RefundList = ({ payment }: Props) =>
  payment.refunds.length === 0 ? null : (
    <Section title={words.payments.refunds} of={payment.refunds.length}>
      <ol class="history">
        {payment.refunds.map((refund) => (
          <li key={refund.id}>
            <Status tone={toneOf(refund.status)}>{codes.refundStatus[refund.status]}</Status>{' '}
            <b>{money(refund.amount, refund.currency)}</b> <Time at={refund.createdAt} /> <Id>{refund.id}</Id>
            {refund.reason !== null && <p dir="auto">{refund.reason}</p>}
            {refund.needsResolution && mayDo('payments') && (
              <UnlessDecisionUnsent subjects={[refund.id]}>
                <Resolution refund={refund} />
              </UnlessDecisionUnsent>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )

const OUTCOMES = Object.entries(words.payments.outcomes) as [Outcome, string][]

/** Says what became of a refund that its provider does not know. */
function Resolution({ refund: { id, paymentId, amount, currency } }: { refund: Schema<'Refund'> }) {
  const draftKey = `resolve ${id}`
  const [draft, setDraft] = useDraft<{ outcome: Outcome; note: string }>(draftKey, {
    outcome: 'RETRY',
    note: '',
  })
  const sending = useSending()
  const resolve = () =>
    sending.send(async () =>
      sendUnlessUndone({
        subject: id,
        text: `${words.payments.refund} ${money(amount, currency)}: ${words.payments.outcomes[draft.outcome]}`,
        link: linkTo('payments', paymentId),
        change: {
          method: 'POST',
          path: `/payments/${paymentId}/refunds/${id}/resolve`,
          body: { outcome: draft.outcome, note: draft.note.trim() } satisfies Schema<'RefundResolution'>,
        },
        draft: draftKey,
        staleKeys: [`payment ${paymentId}`, 'payments'],
        needsRecentSignIn: true,
      }),
    )
  return (
    <form
      class="inline"
      aria-label={words.payments.resolve}
      onSubmit={(event) => {
        event.preventDefault()
        resolve()
      }}
    >
      <p>{words.payments.resolveHint}</p>
      <Select
        label={words.payments.resolve}
        value={draft.outcome}
        options={OUTCOMES}
        set={(outcome) => setDraft({ ...draft, outcome })}
      />
      <Input
        label={words.payments.note}
        value={draft.note}
        set={(note) => setDraft({ ...draft, note })}
        isRequired
      />
      <button type="submit" disabled={sending.isBusy || draft.note.trim() === ''}>
        {words.payments.resolve}
      </button>
      <SendingFailed of={sending} subject={id} />
    </form>
  )
}
