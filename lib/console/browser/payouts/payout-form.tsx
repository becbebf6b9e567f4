import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { go, linkTo } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { minorUnits, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Method = Schema<'Payout'>['method']
type Draft = { currency: Schema<'Currency'> | ''; amount: string; method: Method | ''; key: string }
type Props = { agentId: string; balances: Schema<'TrialBalance'>['items'] }

const METHODS = Object.entries(words.payouts.methods) as [Method, string][]

/** Pays an agent out, after a question: all that is available, or a part. One order never pays twice. */
export function PayoutForm({ agentId, balances }: Props) {
  const [draft, setDraft, clear] = useDraft<Draft>(`payout to ${agentId}`, {
    currency: '',
    amount: '',
    method: '',
    key: '',
  })
  const sending = useSending()
  // A debt of the platform is a credit, below zero.
  const owed = balances.filter(({ balance }) => balance < 0)
  const chosen = owed.find(({ currency }) => currency === draft.currency) ?? owed[0]
  if (chosen === undefined) return null
  const { currency } = chosen
  const amount = draft.amount.trim() === '' ? null : minorUnits(draft.amount, currency)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change, key: '' })
  const pay = () =>
    sending.send(async () => {
      if (amount === undefined) return
      const question = {
        title: words.payouts.create,
        text: amount === null ? words.payouts.askAll(currency) : words.payouts.ask(money(amount, currency)),
        confirm: words.payouts.create,
      }
      if (!(await confirmed(question))) return
      // The same order keeps its key, also after a lost answer or a reload, so that asking twice pays once.
      const key = draft.key || crypto.randomUUID()
      setDraft({ ...draft, key })
      const payout = await read(
        api.POST('/admin/payouts', {
          params: { header: { 'Idempotency-Key': key } },
          body: { agentId, currency, amount, method: draft.method || null },
        }),
      )
      clear()
      say(`${words.payouts.created}: ${money(payout.amount, payout.currency)}`)
      go(linkTo('payouts', payout.id))
    })
  return (
    <form
      class="panel"
      aria-label={words.payouts.create}
      onSubmit={(event) => {
        event.preventDefault()
        pay()
      }}
    >
      <h2>{words.payouts.create}</h2>
      <Select
        label={words.payouts.currency}
        value={currency}
        options={owed.map((one) => [one.currency, one.currency] as const)}
        set={(picked) => edit({ currency: picked })}
      />
      <Input
        label={`${words.payments.refundAmount} (${currency})`}
        value={draft.amount}
        set={(typed) => edit({ amount: typed })}
        hint={words.payouts.amountHint}
      />
      <Select<Method | ''>
        label={words.payouts.method}
        value={draft.method}
        options={[['', words.payouts.methodDefault], ...METHODS]}
        set={(picked) => edit({ method: picked })}
      />
      <SendingFailed of={sending} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={sending.isBusy || amount === undefined}>
          {words.payouts.create}
        </button>
      </div>
    </form>
  )
}
