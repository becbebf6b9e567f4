import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { useKeys } from '../app/keys.ts'
import { say } from '../app/toasts.tsx'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { decimal, exponentOf, minorUnits, money } from '../parts/format.ts'
import { words } from '../words/words.ts'
import { chargeName } from './charge-name.ts'
import { type Refundable, refundablesOf, whyNotRefundable } from './refundable.ts'

type Payment = Schema<'PaymentInFull'>
type Props = { payment: Payment; reload: () => Promise<void> }
/** A sum of null is the whole rest; an empty sum is being typed again. */
type Draft = { chargeId: string; amount: string | null; reason: string; key: string }

/** Gives money of a payment back where that is possible; says why not where it is not. */
export function RefundForm({ payment, reload }: Props) {
  const refundables = refundablesOf(payment)
  return refundables.length === 0 ? (
    <section class="decision">
      <h2>{words.payments.refund}</h2>
      <p class="quiet">{words.payments.noRefund[whyNotRefundable(payment)]}</p>
    </section>
  ) : (
    <OpenForm payment={payment} refundables={refundables} reload={reload} />
  )
}

/** Gives money back after a question: a refund cannot be undone, and one order never pays twice. */
function OpenForm({ payment, refundables, reload }: Props & { refundables: readonly Refundable[] }) {
  const { id, charges } = payment
  const [draft, setDraft, clear] = useDraft<Draft>(`refund ${id}`, {
    chargeId: '',
    amount: null,
    reason: '',
    key: '',
  })
  const sending = useSending()
  const chosen =
    refundables.find(({ charge }) => (charge.id ?? '') === draft.chargeId) ?? owedFirst(refundables)
  const charge = chosen?.charge
  const left = chosen?.left ?? 0
  const currency = charge?.currency ?? payment.currency
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change, key: '' })
  const typed = draft.amount ?? decimal(left, exponentOf(currency))
  const amount = minorUnits(typed, currency)

  const refund = () =>
    sending.send(async () => {
      if (amount === undefined || amount > left)
        return say(words.payments.left(money(left, currency)), { isBad: true })
      const sum = money(amount, currency)
      const question = {
        title: words.payments.refund,
        text: words.payments.refundAsk(sum),
        confirm: words.payments.refund,
      }
      if (!(await confirmed(question))) return
      // The same order keeps its key, also after a lost answer or a reload, so that asking twice pays once.
      const key = draft.key || crypto.randomUUID()
      setDraft({ ...draft, key })
      await read(
        api.POST('/payments/{id}/refunds', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: {
            amount,
            reason: draft.reason.trim() || null,
            ...(charges.length > 1 && charge?.id != null && { chargeId: charge.id }),
          },
        }),
      )
      clear()
      say(`${words.payments.refundBegun}: ${sum}`)
      await reload()
    })

  useKeys([{ keys: 'r', does: words.payments.refund, run: refund }])
  return (
    <form
      class="decision"
      aria-label={words.payments.refund}
      onSubmit={(event) => {
        event.preventDefault()
        refund()
      }}
    >
      <h2>{words.payments.refund}</h2>
      {charges.length > 1 && (
        <Select
          label={words.payments.refundOf}
          value={charge?.id ?? ''}
          options={refundables.map((one) => [one.charge.id ?? '', chargeName(charges, one.charge)] as const)}
          set={(chargeId) => edit({ chargeId, amount: null })}
        />
      )}
      <Input
        label={`${words.payments.refundAmount} (${currency})`}
        value={typed}
        set={(sum) => edit({ amount: sum })}
        hint={words.payments.left(money(left, currency))}
      />
      <Area label={words.payments.refundReason} value={draft.reason} set={(reason) => edit({ reason })} />
      <SendingFailed of={sending} />
      <div class="buttons">
        <button type="submit" class="danger" disabled={sending.isBusy || amount === undefined}>
          {words.payments.refund} <kbd>r</kbd>
        </button>
      </div>
    </form>
  )
}

/** A debt to the payer comes before the payment itself. */
const owedFirst = (refundables: readonly Refundable[]): Refundable | undefined =>
  refundables.find(({ charge }) => charge.state !== 'COUNTS') ?? refundables[0]
