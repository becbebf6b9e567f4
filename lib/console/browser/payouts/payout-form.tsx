import type { Schema } from '../api/schemas.ts'
import { type KeyedRequest, requestWithKey, useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { minorUnits, money } from '../parts/format.ts'
import { nameText } from '../parts/name-link.tsx'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Method = Schema<'Payout'>['method']
type Draft = {
  currency: Schema<'Currency'> | ''
  amount: string
  method: Method | ''
  request: KeyedRequest | null
}
type Props = { agentId: string; balances: Schema<'TrialBalance'>['items'] }

const METHODS = Object.entries(words.payouts.methods) as [Method, string][]

/** Pays an agent out: all that is available, or a part. */
export const PayoutForm = (props: Props) => (
  <UnlessDecisionUnsent subjects={[subjectOf(props.agentId)]}>
    <OpenForm {...props} />
  </UnlessDecisionUnsent>
)

const subjectOf = (agentId: string): string => `payout to ${agentId}`

/** The form of a payout, whose idempotency key keeps the same payout from being paid twice. */
function OpenForm({ agentId, balances }: Props) {
  const subject = subjectOf(agentId)
  const [draft, setDraft] = useDraft<Draft>(subject, { currency: '', amount: '', method: '', request: null })
  const sending = useSending()
  useKeys([{ keys: 'p', does: words.payouts.create, run: () => focusForm(words.payouts.create) }])
  // What the platform owes an agent is a credit in the books, below zero.
  const owed = balances.filter(({ balance }) => balance < 0)
  const chosen = owed.find(({ currency }) => currency === draft.currency) ?? owed[0]
  if (chosen === undefined) return null
  const { currency } = chosen
  // Null pays out everything that is available; undefined is a text that is no amount.
  const amount = draft.amount.trim() === '' ? null : minorUnits(draft.amount, currency)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const pay = () =>
    sending.send(async () => {
      if (amount === undefined) return
      const body = {
        agentId,
        currency,
        amount,
        method: draft.method || null,
      } satisfies Schema<'CreatePayoutBody'>
      const request = requestWithKey(body, draft.request)
      setDraft({ ...draft, request })
      const sum = amount === null ? words.payouts.everything(currency) : money(amount, currency)
      sendUnlessUndone({
        subject,
        text: `${nameText(agentId)}: ${words.payouts.create} ${sum}`,
        link: linkTo('ledger', agentId),
        change: { method: 'POST', path: '/admin/payouts', body, key: request.key },
        draft: subject,
        staleKeys: [`agent account ${agentId}`, 'payouts'],
        needsRecentSignIn: true,
      })
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
        label={`${words.payments.sum} (${currency})`}
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
      <SendingFailed of={sending} subject={subject} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={sending.isBusy || amount === undefined}>
          {words.payouts.create} <kbd>p</kbd>
        </button>
      </div>
    </form>
  )
}
