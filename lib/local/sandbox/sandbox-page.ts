import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import { exponentOf, toDecimalText } from '#lib/kernel/money'
import type { Brand } from '#lib/pages/brand'
import { page } from '#lib/pages/page'
import { type ChargeLeft, chargesLeft } from './sandbox-changes.ts'
import type { Checkout } from './sandbox-store.ts'

const STATES = {
  open: 'Waiting for you to pay.',
  failed: 'The payment failed. You may try again.',
  cancelled: 'The payment was cancelled. You may still change your mind.',
  closed: 'The shop has closed this page. Money that was on its way may still come.',
  paid: 'Paid.',
} as const

/** Makes the checkout as a page of plain forms: it works without script, and with `curl -d action=pay`. */
export function checkoutPage(checkout: Checkout, brand: Brand): HtmlPage {
  const { amount, currency, state, deliveries } = checkout
  return sandboxPage(
    brand,
    `<p class="sum">${escapeHtml(sumOf(amount, currency))}</p>
<p>${[STATES[state], ...notesOf(checkout)].map(escapeHtml).join(' ')}</p>
<div class="forms">${formsOf(checkout).join('\n')}</div>
<p class="quiet">Payment ${escapeHtml(checkout.reference)}</p>
${checkout.returnUrl ? `<p><a href="${escapeHtml(checkout.returnUrl)}">Back to the shop</a></p>` : ''}
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

/** Makes the buttons that do something now. */
function formsOf(checkout: Checkout): string[] {
  const { state, disputed, disputeOutcome, secondCharge } = checkout
  // Both pay as well: the callback then comes twice, or late.
  const paying = [form('deliver-twice', 'Deliver twice'), form('deliver-late', 'Deliver late')]
  if (state === 'closed') return [form('pay', 'Pay'), ...paying]
  if (state !== 'paid') return [form('pay', 'Pay'), form('fail', 'Fail'), form('cancel', 'Cancel'), ...paying]
  return [
    ...chargesLeft(checkout).flatMap((charge) => (charge.left > 0 ? [refundForm(charge, checkout)] : [])),
    ...(disputed ? [] : [form('dispute', 'Dispute')]),
    // A lost dispute may still be won.
    ...(disputed && disputeOutcome !== 'won' ? [form('win', 'Win')] : []),
    ...(disputed && disputeOutcome === null ? [form('lose', 'Lose the dispute')] : []),
    ...(secondCharge ? [] : [form('pay-again', 'Pay again')]),
  ]
}

/** Makes a page that says one thing. */
export const noticePage = (text: string, brand: Brand): HtmlPage =>
  sandboxPage(brand, `<p>${escapeHtml(text)}</p>`)

const form = (action: string, label: string, fields = ''): string =>
  `<form method="post">${fields}<input type="hidden" name="action" value="${action}"><button>${label}</button></form>`

/** Makes the form that refunds a charge. The first charge has a null `id`. */
const refundForm = ({ id, left }: ChargeLeft, { currency }: Checkout): string => {
  const value = escapeHtml(toDecimalText(left, exponentOf(currency)))
  const charge = id === null ? '' : `<input type="hidden" name="charge" value="${escapeHtml(id)}">`
  const label = `${escapeHtml(currency)}${id === null ? '' : ' of the second charge'}`
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
            `<li><code>${escapeHtml(type)}</code> ${escapeHtml(answer)} <small>${escapeHtml(at)}</small></li>`,
        )
        .join('')}</ol>`

const sumOf = (amount: number, currency: Checkout['currency']): string =>
  `${toDecimalText(amount, exponentOf(currency))} ${currency}`

const sandboxPage = (brand: Brand, content: string): HtmlPage =>
  page(
    { locale: 'en', brand },
    { title: 'Sandbox checkout', content: `<p class="quiet">No money moves here.</p>\n${content}` },
  )
