import type { Schema } from '../api/schemas.ts'
import { type KeyedRequest, requestWithKey, useDraft } from '../app/drafts.ts'
import { refusalOf, sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo, route } from '../app/router.ts'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { currencies, decimal, exponentOf, minorUnits, money } from '../parts/format.ts'
import { nameText } from '../parts/name-link.tsx'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Currency = Schema<'Currency'>
type Direction = keyof typeof words.ledger.directions
type Draft = {
  currency: Currency | ''
  amount: string
  direction: Direction
  note: string
  approvalOf: string
  /** The body that was sent last, with its idempotency key. */
  request: KeyedRequest | null
}
type Props = { agentId: string; balances: Schema<'TrialBalance'>['items'] }

const DIRECTIONS = Object.entries(words.ledger.directions) as [Direction, string][]

/**
 * Corrects what an agent is owed. Above the limit of one administrator a link is shown, by which another administrator
 * approves the correction. While a correction waits to be sent, its text stands in place of the form.
 */
export const CorrectionForm = (props: Props) => (
  <UnlessDecisionUnsent subjects={[subjectOf(props.agentId)]}>
    <OpenForm {...props} />
  </UnlessDecisionUnsent>
)

const subjectOf = (agentId: string): string => `correction ${agentId}`

function OpenForm({ agentId, balances }: Props) {
  const { query } = route.value
  const subject = subjectOf(agentId)
  const draftKey = `${subject} ${query}`
  const [draft, setDraft] = useDraft<Draft>(draftKey, {
    currency: (query.get('currency') as Currency | null) ?? '',
    amount: query.get('amount') ?? '',
    direction: query.get('direction') === 'less' ? 'less' : 'more',
    note: query.get('note') ?? '',
    approvalOf: query.get('approvalOf') ?? '',
    request: null,
  })
  const sending = useSending()
  const currency = draft.currency || balances[0]?.currency || ''
  const units = currency === '' ? undefined : minorUnits(draft.amount, currency)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const body =
    currency === '' || units === undefined
      ? undefined
      : ({
          agentId,
          currency,
          amount: draft.direction === 'more' ? units : -units,
          note: draft.note.trim(),
          approvalOf: draft.approvalOf || null,
        } satisfies Schema<'CorrectLedgerBody'>)
  useKeys([{ keys: 'c', does: words.ledger.correct, run: () => focusForm(words.ledger.correct) }])
  const correct = () =>
    sending.send(async () => {
      if (body === undefined) return
      const request = requestWithKey(body, draft.request)
      setDraft({ ...draft, request })
      sendUnlessUndone({
        subject,
        text: `${nameText(agentId)}: ${words.ledger.correct} ${money(body.amount, body.currency)}`,
        link: linkTo('ledger', agentId, Object.fromEntries(query)),
        change: { method: 'POST', path: '/admin/ledger/corrections', body, key: request.key },
        draft: draftKey,
        staleKeys: [`agent account ${agentId}`, 'ledger', 'balances'],
        needsRecentSignIn: true,
      })
    })
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
        label={words.payments.sum}
        value={draft.amount}
        set={(typed) => edit({ amount: typed })}
        isRequired
      />
      <Area label={words.payouts.note} value={draft.note} set={(note) => edit({ note })} />
      <SendingFailed of={sending} subject={subject} />
      {body && <ForAnother request={draft.request} body={body} />}
      <div class="buttons">
        <button
          type="submit"
          class="danger"
          disabled={sending.isBusy || units === undefined || draft.note.trim() === ''}
        >
          {words.ledger.correct} <kbd>c</kbd>
        </button>
      </div>
    </form>
  )
}

type ForAnotherProps = { request: KeyedRequest | null; body: Schema<'CorrectLedgerBody'> }

/** A link to the same form with the same values, by which another administrator approves a refused correction. */
function ForAnother({ request, body }: ForAnotherProps) {
  const { agentId, currency, amount, note, approvalOf } = body
  const isRefused = refusalOf(subjectOf(agentId))?.problem.code === 'second_person_needed'
  const isApproval = approvalOf !== null
  // The approval is of the very body that was refused: an edited form has no link.
  if (!isRefused || isApproval || request?.body !== JSON.stringify(body)) return null
  const filters = {
    approvalOf: request.key,
    currency,
    amount: decimal(Math.abs(amount), exponentOf(currency)),
    direction: amount < 0 ? 'less' : 'more',
    note,
  }
  return (
    <p>
      <a href={linkTo('ledger', agentId, filters)}>{words.ledger.forAnother}</a>
    </p>
  )
}
