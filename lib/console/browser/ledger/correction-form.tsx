import { api, read } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { linkTo, route } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { currencies, decimal, exponentOf, minorUnits, money } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Currency = Schema<'Currency'>
type Direction = keyof typeof words.ledger.directions
type Draft = {
  currency: Currency | ''
  amount: string
  direction: Direction
  note: string
  approvalOf: string
  key: string
}
type Props = { agentId: string; balances: Schema<'TrialBalance'>['items']; reload: () => Promise<void> }

const DIRECTIONS = Object.entries(words.ledger.directions) as [Direction, string][]

/**
 * Corrects what an agent is owed, after a question. Above the limit of one administrator a link is shown that another one
 * opens to repeat it.
 */
export function CorrectionForm({ agentId, balances, reload }: Props) {
  const { query } = route.value
  const [draft, setDraft, clear] = useDraft<Draft>(`correction ${agentId} ${query}`, {
    currency: (query.get('currency') as Currency | null) ?? '',
    amount: query.get('amount') ?? '',
    direction: query.get('direction') === 'less' ? 'less' : 'more',
    note: query.get('note') ?? '',
    approvalOf: query.get('approvalOf') ?? '',
    key: '',
  })
  const sending = useSending()
  const currency = draft.currency || balances[0]?.currency || ''
  const units = currency === '' ? undefined : minorUnits(draft.amount, currency)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change, key: '' })
  const correct = () =>
    sending.send(async () => {
      if (currency === '' || units === undefined) return
      const amount = draft.direction === 'more' ? units : -units
      const question = {
        title: words.ledger.correct,
        text: words.ledger.correctAsk(money(amount, currency)),
        confirm: words.ledger.correct,
      }
      if (!(await confirmed(question))) return
      const key = draft.key || crypto.randomUUID()
      setDraft({ ...draft, key })
      await read(
        api.POST('/admin/ledger/corrections', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            agentId,
            currency,
            amount,
            note: draft.note.trim(),
            approvalOf: draft.approvalOf || null,
          },
        }),
      )
      clear()
      say(`${words.ledger.corrected}: ${money(amount, currency)}`)
      await reload()
    })
  const isForAnother = sending.failure && asRefusal(sending.failure).problem.code === 'second_person_needed'
  return (
    <form
      class="panel"
      aria-label={words.ledger.correct}
      onSubmit={(event) => {
        event.preventDefault()
        correct()
      }}
    >
      <h2>{words.ledger.correct}</h2>
      <Select<Direction>
        label={words.ledger.direction}
        value={draft.direction}
        options={DIRECTIONS}
        set={(direction) => edit({ direction })}
      />
      <Select<Currency | ''>
        label={words.payouts.currency}
        value={currency}
        options={[['', '–'], ...currencies.value.map((code) => [code, code] as const)]}
        set={(chosen) => edit({ currency: chosen })}
      />
      <Input
        label={words.payments.refundAmount}
        value={draft.amount}
        set={(typed) => edit({ amount: typed })}
        isRequired
      />
      <Area label={words.payouts.note} value={draft.note} set={(note) => edit({ note })} />
      <SendingFailed of={sending} />
      {isForAnother && draft.approvalOf === '' && units !== undefined && currency !== '' && (
        <p>
          <a
            href={linkTo('ledger', agentId, {
              approvalOf: draft.key,
              currency,
              amount: decimal(units, exponentOf(currency)),
              direction: draft.direction,
              note: draft.note,
            })}
          >
            {words.ledger.forAnother}
          </a>
        </p>
      )}
      <div class="buttons">
        <button
          type="submit"
          class="danger"
          disabled={sending.isBusy || units === undefined || draft.note.trim() === ''}
        >
          {words.ledger.correct}
        </button>
      </div>
    </form>
  )
}
