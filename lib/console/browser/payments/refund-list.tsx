import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { say } from '../app/toasts.tsx'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { money } from '../parts/format.ts'
import { Id, Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Props = { payment: Schema<'PaymentInFull'>; reload: () => Promise<void> }
type Outcome = Schema<'RefundResolution'>['outcome']

/** The refunds of a payment; a refund unknown to its provider is resolved here. */
export const RefundList = ({ payment, reload }: Props) =>
  payment.refunds.length === 0 ? null : (
    <Section title={words.payments.refunds} of={payment.refunds.length}>
      <ol class="history">
        {payment.refunds.map((refund) => (
          <li key={refund.id}>
            <Status tone={toneOf(refund.status)}>{codes.refundStatus[refund.status]}</Status>{' '}
            <b>{money(refund.amount, refund.currency)}</b> <Time at={refund.createdAt} /> <Id>{refund.id}</Id>
            {refund.reason !== null && <p dir="auto">{refund.reason}</p>}
            {refund.needsResolution && mayDo('payments') && <Resolution refund={refund} reload={reload} />}
          </li>
        ))}
      </ol>
    </Section>
  )

const OUTCOMES = Object.entries(words.payments.outcomes) as [Outcome, string][]

/** Says what became of a refund that its provider does not know. */
function Resolution({ refund, reload }: { refund: Schema<'Refund'>; reload: () => Promise<void> }) {
  const [draft, setDraft, clear] = useDraft<{ outcome: Outcome; note: string }>(`resolve ${refund.id}`, {
    outcome: 'RETRY',
    note: '',
  })
  const sending = useSending()
  const resolve = () =>
    sending.send(async () => {
      await read(
        api.POST('/payments/{id}/refunds/{refundId}/resolve', {
          params: { path: { id: refund.paymentId, refundId: refund.id } },
          body: { outcome: draft.outcome, note: draft.note.trim() },
        }),
      )
      clear()
      say(words.payments.resolved)
      await reload()
    })
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
      <SendingFailed of={sending} />
    </form>
  )
}
