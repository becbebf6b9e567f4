import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { useKeys } from '../app/keys.ts'
import { say } from '../app/toasts.tsx'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { decimal, exponentOf, minorUnits, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Payment = Schema<'PaymentInFull'>
type Draft = { chargeId: string; amount: string; reason: string; key: string }

/** Gives money of a payment back, after a question: a refund cannot be undone, and one order never pays twice. */
export function RefundForm({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { id, currency, charges } = payment
  const [draft, setDraft, clear] = useDraft<Draft>(`refund ${id}`, {
    chargeId: '',
    amount: '',
    reason: '',
    key: '',
  })
  const sending = useSending()
  const charge = charges.find((one) => (one.id ?? '') === draft.chargeId) ?? chargeToReturn(payment)
  const left =
    charge === undefined ? 0 : charge.amount - charge.amountRefunded - pendingOf(payment, charge.id)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change, key: '' })
  const amount = minorUnits(draft.amount || decimal(left, exponentOf(currency)), currency)

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
  if (charge === undefined || left <= 0) return null
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
          value={charge.id ?? ''}
          options={charges.map(
            (one) => [one.id ?? '', `${money(one.amount, one.currency)} ${one.id ?? ''}`] as const,
          )}
          set={(chargeId) => edit({ chargeId })}
        />
      )}
      <Input
        label={`${words.payments.refundAmount} (${currency})`}
        value={draft.amount || decimal(left, exponentOf(currency))}
        set={(typed) => edit({ amount: typed })}
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

/** The charge that needs someone, else the first. */
const chargeToReturn = ({ attention, charges }: Payment) =>
  attention.some(({ code }) => code === 'second_charge')
    ? charges.slice(1).find(({ amount, amountRefunded }) => amountRefunded < amount)
    : charges[0]

/** What refunds of a charge that have not ended yet may still take. */
const pendingOf = ({ refunds, charges }: Payment, chargeId: string | null): number =>
  refunds
    .filter(({ status }) => status === 'PENDING')
    .filter((refund) => (refund.chargeId ?? charges[0]?.id ?? null) === chargeId)
    .reduce((sum, { amount }) => sum + amount, 0)
