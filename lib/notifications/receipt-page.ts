import { directionOf, type Locale } from '#lib/kernel/locale'
import { amountIn, inlineIn, momentIn } from '#lib/kernel/localized'
import { escapeHtml } from '#lib/mail/html'
import type { Receipt } from '#lib/payments/receipts/receipt'
import { codeWordsIn } from './words/words-in.ts'

/** Returns a receipt as a page fit to print, which works without script. People's texts are never markup. */
export function receiptPage(receipt: Receipt, locale: Locale): string {
  const { title } = codeWordsIn(locale).receipt
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${receipt.receiptNumber}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.3 }
table { width: 100%; border-collapse: collapse }
th, td { padding: .5rem 0; border-bottom: 1px solid #8888; text-align: start; vertical-align: top }
th { width: 40%; font-weight: normal; opacity: .75 }
@media print { :root { color-scheme: only light } body { margin: 0 } }
</style>
<h1>${title}</h1>
<table>
${rowsOf(receipt, locale)
  .map(([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`)
  .join('\n')}
</table>
</html>
`
}

function rowsOf(receipt: Receipt, locale: Locale): [name: string, value: string][] {
  const { labels, purposes, receipt: words, someone, aListing } = codeWordsIn(locale)
  const { payer, payee, listing, currency, amountRefunded } = receipt
  const inline = (text: string | null, without: string) => (text === null ? without : inlineIn(locale, text))
  const agent = payee && [payee.displayName, payee.agency].filter((name) => name !== null).join(', ')
  return [
    [words.number, receipt.receiptNumber],
    [labels.at, momentIn(locale, receipt.paidAt)],
    [labels.payer, inline(payer.name, someone)],
    ...(listing
      ? ([
          [labels.payee, inline(agent, someone)],
          [labels.listing, inline(listing.title, aListing)],
        ] as [string, string][])
      : []),
    [labels.purpose, purposes[receipt.purpose]],
    [labels.amount, amountIn(locale, { amount: receipt.amount, currency })],
    ...(amountRefunded > 0
      ? ([[words.refunded, amountIn(locale, { amount: amountRefunded, currency })]] as [string, string][])
      : []),
    [words.provider, receipt.provider],
  ]
}
