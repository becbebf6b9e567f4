import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { say } from '../app/toasts.tsx'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { count, currencies, minorUnits, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Draft = { currency: Schema<'Currency'> | ''; minimum: string }

/** Pays every agent out who has a minimum available in a currency, after a question. */
export function PayoutRun({ done }: { done: () => Promise<void> }) {
  const [draft, setDraft, clear] = useDraft<Draft>('payout run', { currency: '', minimum: '' })
  const sending = useSending()
  const { currency } = draft
  const minimum = currency === '' ? undefined : minorUnits(draft.minimum, currency)
  const run = () =>
    sending.send(async () => {
      if (currency === '' || minimum === undefined) return
      const question = {
        title: words.payouts.run,
        text: words.payouts.runAsk(money(minimum, currency)),
        confirm: words.payouts.run,
      }
      if (!(await confirmed(question))) return
      const { created, skipped } = await read(api.POST('/admin/payouts/run', { body: { currency, minimum } }))
      clear()
      say(words.payouts.ran(count(created), count(skipped)))
      await done()
    })
  return (
    <form
      class="panel"
      aria-label={words.payouts.run}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <p class="quiet">{words.payouts.runHint}</p>
      <div class="pair">
        <Select<Schema<'Currency'> | ''>
          label={words.payouts.currency}
          value={currency}
          options={[['', '–'], ...currencies.value.map((code) => [code, code] as const)]}
          set={(chosen) => setDraft({ ...draft, currency: chosen })}
          isRequired
        />
        <Input
          label={words.payouts.minimum}
          value={draft.minimum}
          set={(typed) => setDraft({ ...draft, minimum: typed })}
          isRequired
        />
      </div>
      <SendingFailed of={sending} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={sending.isBusy || minimum === undefined}>
          {words.payouts.run}
        </button>
      </div>
    </form>
  )
}
