import type { ProblemCode } from '#lib/kernel/domain-error'
import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import { type Locale, localeFor } from '#lib/kernel/locale'
import { amountIn, inlineIn, momentIn } from '#lib/kernel/localized'
import type { Brand } from '#lib/pages/brand'
import { type PageSetting, page } from '#lib/pages/page'
import { refusedPage } from '#lib/pages/refused-page'
import { pageWordsIn } from '#lib/pages/words/words-in'
import type { Receipt } from '#lib/payments/receipts/receipt'
import { codeWordsIn } from './words/words-in.ts'

/** Returns a receipt as a page fit to print, which works without script. People's texts are escaped. */
export function receiptPage(receipt: Receipt, setting: PageSetting): HtmlPage {
  const { locale } = setting
  const { labels, receipt: words } = codeWordsIn(locale)
  const { amount, amountRefunded, currency } = receipt
  const refunded = amountIn(locale, { amount: amountRefunded, currency })
  const rows = [
    line([words.number, receipt.receiptNumber], { className: 'number' }),
    ...rowsOf(receipt, locale).map((row) => line(row)),
    line([labels.amount, amountIn(locale, { amount, currency })], { className: 'total' }),
    ...(amountRefunded > 0 ? [line([words.refunded, refunded])] : []),
  ]
  return page(setting, {
    title: `${words.title} ${receipt.receiptNumber}`,
    heading: words.title,
    content: `<dl>\n${rows.join('\n')}\n</dl>`,
  })
}

/** Returns the page of a link that opens no receipt: it says how to get another link. */
export function receiptRefused(
  { code, acceptLanguage }: { code: ProblemCode; acceptLanguage: string | null },
  { brand }: { brand: Brand },
): HtmlPage {
  const locale = localeFor(acceptLanguage)
  const { receiptAgain, noReceipt } = pageWordsIn(locale)
  const advice = { invalid_token: receiptAgain, validation_failed: receiptAgain, not_found: noReceipt }
  return refusedPage({ locale, brand }, code, advice)
}

type Row = readonly [name: string, value: string]

const line = ([name, value]: Row, { className }: { className?: string } = {}): string =>
  `<div${className === undefined ? '' : ` class="${className}"`}><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`

function rowsOf(receipt: Receipt, locale: Locale): Row[] {
  const { labels, purposes, receipt: words, someone, aListing } = codeWordsIn(locale)
  const { payer, payee, listing } = receipt
  const inline = (text: string | null, fallback: string) =>
    text === null ? fallback : inlineIn(locale, text)
  const agent = payee && [payee.displayName, payee.agency].filter((name) => name !== null).join(', ')
  const listingRows: Row[] = listing
    ? [
        [labels.payee, inline(agent, someone)],
        [labels.listing, inline(listing.title, aListing)],
      ]
    : []
  return [
    [labels.at, momentIn(locale, receipt.paidAt)],
    [labels.payer, inline(payer.name, someone)],
    ...listingRows,
    [labels.purpose, purposes[receipt.purpose]],
    [words.provider, receipt.provider],
  ]
}
