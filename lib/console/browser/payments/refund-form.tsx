import type { Schema } from '../api/schemas.ts'
import { type KeyedRequest, requestWithKey, useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { decimal, exponentOf, minorUnits, money } from '../parts/format.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'
import { chargeName } from './charge-name.ts'
import { type Refundable, refundablesOf, whyNotRefundable } from './refundable.ts'

type Payment = Schema<'PaymentInFull'>
type Props = { payment: Payment }
/**
 * An amount of null is all that is left; an empty amount is one that the reader has cleared. `chargeId` is empty until a
 * charge is chosen, and for a charge without an id.
 */
type Draft = { chargeId: string; amount: string | null; reason: string; request: KeyedRequest | null }

/** Gives money of a payment back where that is possible; says why not where it is not. */
export function RefundForm({ payment }: Props) {
  const refundables = refundablesOf(payment)
  return refundables.length === 0 ? (
    <section class="decision">
      <h2>{words.payments.refund}</h2>
      <p class="quiet">{words.payments.noRefund[whyNotRefundable(payment)]}</p>
    </section>
  ) : (
    <UnlessDecisionUnsent subjects={[payment.id]}>
      <OpenForm payment={payment} refundables={refundables} />
    </UnlessDecisionUnsent>
  )
}

/** The form of a refund, whose idempotency key keeps the same refund from being paid twice. */
function OpenForm({ payment, refundables }: Props & { refundables: readonly Refundable[] }) {
  const { id, charges, user, userId } = payment
  const draftKey = `refund ${id}`
  const [draft, setDraft] = useDraft<Draft>(draftKey, {
    chargeId: '',
    amount: null,
    reason: '',
    request: null,
  })
  const sending = useSending()
  const chosen =
    refundables.find(({ charge }) => (charge.id ?? '') === draft.chargeId) ?? owedFirst(refundables)
  const charge = chosen?.charge
  const left = chosen?.left ?? 0
  const currency = charge?.currency ?? payment.currency
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const typed = draft.amount ?? decimal(left, exponentOf(currency))
  const amount = minorUnits(typed, currency)

  const refund = () =>
    sending.send(async () => {
      if (amount === undefined || amount > left)
        return say(words.payments.left(money(left, currency)), { isBad: true })
      const body = {
        amount,
        reason: draft.reason.trim() || null,
        // Without `chargeId` the API refunds the charge that counts; a charge without an id can be no other.
        ...(charge?.id != null && { chargeId: charge.id }),
      } satisfies Schema<'RefundDraft'>
      const request = requestWithKey(body, draft.request)
      setDraft({ ...draft, request })
      sendUnlessUndone({
        subject: id,
        text: `${user?.name ?? user?.email ?? userId}: ${words.payments.refund} ${money(amount, currency)}`,
        link: linkTo('payments', id),
        change: { method: 'POST', path: `/payments/${id}/refunds`, body, key: request.key },
        draft: draftKey,
        staleKeys: [`payment ${id}`, 'payments'],
        needsRecentSignIn: true,
      })
    })

  useKeys([{ keys: 'r', does: words.payments.refund, run: () => focusForm(words.payments.refund) }])
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
        label={`${words.payments.sum} (${currency})`}
        value={typed}
        set={(sum) => edit({ amount: sum })}
        hint={words.payments.left(money(left, currency))}
      />
      <Area label={words.payments.reason} value={draft.reason} set={(reason) => edit({ reason })} />
      <SendingFailed of={sending} subject={id} />
      <div class="buttons">
        <button type="submit" class="danger" disabled={sending.isBusy || amount === undefined}>
          {words.payments.refund} <kbd>r</kbd>
        </button>
      </div>
    </form>
  )
}

/** Returns the charge to propose: a charge that the payer should not have paid, else the one that counts. */
const owedFirst = (refundables: readonly Refundable[]): Refundable | undefined =>
  refundables.find(({ charge }) => charge.state !== 'COUNTS') ?? refundables[0]
