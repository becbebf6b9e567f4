import { exponentOf, toDecimalText } from '#lib/kernel/money'
import { type ChargeLeft, chargesLeft } from './sandbox-changes.ts'
import type { Checkout } from './sandbox-store.ts'

const STATES = {
  open: 'Waiting for you to pay.',
  failed: 'The payment failed. You may try again.',
  cancelled: 'The payment was cancelled. You may still change your mind.',
  closed: 'The shop has closed this page. Money that was on its way may still come.',
  paid: 'Paid.',
} as const

/** The checkout as a page of plain forms: it works without script, and with `curl -d action=pay`. */
export function checkoutPage(checkout: Checkout): string {
  const { amount, currency, state, deliveries } = checkout
  return page(
    'Sandbox checkout',
    `<p class="sum">${escaped(sumOf(amount, currency))}</p>
<p>${[STATES[state], ...notesOf(checkout)].map(escaped).join(' ')}</p>
<div class="forms">${formsOf(checkout).join('\n')}</div>
<p class="reference">Payment ${escaped(checkout.reference)}</p>
${checkout.returnUrl ? `<p><a href="${escaped(checkout.returnUrl)}">Back to the shop</a></p>` : ''}
${deliveryList(deliveries)}`,
  )
}

const DISPUTE_NOTES = {
  open: 'Disputed by the payer.',
  won: 'The dispute was won.',
  lost: 'The dispute was lost.',
}

function notesOf({ refunded, disputed, disputeOutcome, secondCharge, currency }: Checkout): string[] {
  return [
    ...(secondCharge ? ['Paid a second time.'] : []),
    ...(refunded > 0 ? [`${sumOf(refunded, currency)} given back.`] : []),
    ...(disputed ? [DISPUTE_NOTES[disputeOutcome ?? 'open']] : []),
  ]
}

/** The buttons that do something now. */
function formsOf(checkout: Checkout): string[] {
  const { state, disputed, disputeOutcome, secondCharge } = checkout
  const paying = [form('deliver-twice', 'Deliver twice'), form('deliver-late', 'Deliver late')]
  if (state === 'closed') return [form('pay', 'Pay'), ...paying]
  if (state !== 'paid') return [form('pay', 'Pay'), form('fail', 'Fail'), form('cancel', 'Cancel'), ...paying]
  return [
    ...chargesLeft(checkout).flatMap((charge) => (charge.left > 0 ? [refundForm(charge, checkout)] : [])),
    ...(disputed ? [] : [form('dispute', 'Dispute')]),
    ...(disputed && disputeOutcome !== 'won' ? [form('win', 'Win')] : []),
    ...(disputed && disputeOutcome === null ? [form('lose', 'Lose the dispute')] : []),
    ...(secondCharge ? [] : [form('pay-again', 'Pay again')]),
  ]
}

/** A page that says one thing. */
export const noticePage = (text: string): string => page('Sandbox checkout', `<p>${escaped(text)}</p>`)

const form = (action: string, label: string, fields = ''): string =>
  `<form method="post">${fields}<input type="hidden" name="action" value="${action}"><button>${label}</button></form>`

const refundForm = ({ id, left }: ChargeLeft, { currency }: Checkout): string => {
  const value = escaped(toDecimalText(left, exponentOf(currency)))
  const charge = id === null ? '' : `<input type="hidden" name="charge" value="${escaped(id)}">`
  const label = `${escaped(currency)}${id === null ? '' : ' of the second charge'}`
  return form(
    'refund',
    'Refund',
    `${charge}<label>${label} <input name="amount" value="${value}" inputmode="decimal"></label> `,
  )
}

const deliveryList = (deliveries: Checkout['deliveries']): string =>
  deliveries.length === 0
    ? ''
    : `<h2>Called back</h2><ol>${deliveries
        .map(
          ({ type, answer, at }) =>
            `<li><code>${escaped(type)}</code> ${escaped(answer)} <small>${escaped(at)}</small></li>`,
        )
        .join('')}</ol>`

const sumOf = (amount: number, currency: Checkout['currency']): string =>
  `${toDecimalText(amount, exponentOf(currency))} ${currency}`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
.sum { font-size: 2.25rem; font-weight: 600; margin: 0 }
.forms { display: flex; flex-wrap: wrap; gap: .5rem }
button { font: inherit; padding: .5rem 1rem }
input[name=amount] { font: inherit; width: 8rem; padding: .4rem }
.reference, small { opacity: .7; overflow-wrap: anywhere }
</style>
<h1>${title}</h1>
<p>No money moves here.</p>
${content}
</html>
`
