import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { minuteOf, money } from '../parts/format.ts'
import { administrator } from '../session/session.ts'
import { words } from '../words/words.ts'

type Payout = Schema<'Payout'>
type Action = keyof typeof words.payouts.actions
type Draft = { action: Action | ''; reference: string; paidAt: string; note: string }

const KEYS: Record<Action, string> = { approve: 'a', settle: 'p', fail: 'f', cancel: 'x' }

/** Returns the administrator's actions on a payout. Its creator cannot approve it. */
function actionsOf({ status, method, needsResolution, createdBy }: Payout): Action[] {
  if (status === 'AWAITING_APPROVAL')
    return createdBy === administrator.value ? ['cancel'] : ['approve', 'cancel']
  // The provider paid it after its failure: `fail` stores that an administrator has seen this.
  if (status === 'FAILED' && needsResolution) return ['fail']
  if (status !== 'PENDING') return []
  if (needsResolution) return ['settle', 'fail']
  return method === 'by_hand' ? ['settle', 'fail', 'cancel'] : ['cancel']
}

/** Approves a payout, says that it was paid or did not arrive, or cancels it. */
export function PayoutActions({ payout }: { payout: Payout }) {
  const { id, amount, currency, status, createdBy } = payout
  const draftKey = `payout ${id}`
  const [draft, setDraft] = useDraft<Draft>(draftKey, {
    action: '',
    reference: '',
    paidAt: '',
    note: '',
  })
  const sending = useSending()
  const actions = actionsOf(payout)
  const action = actions.find((one) => one === draft.action) ?? actions[0]
  const paidAt = draft.paidAt || minuteOf(new Date())
  const act = () =>
    sending.send(async () => {
      if (action === undefined) return
      const body = bodyOf(action, { ...draft, paidAt })
      sendUnlessUndone({
        subject: id,
        text: `${money(amount, currency)}: ${words.payouts.done[action]}`,
        link: linkTo('payouts', id),
        change: { method: 'POST', path: `/admin/payouts/${id}/${action}`, ...(body && { body }) },
        draft: draftKey,
        // `agent account` stands for the account of every agent.
        staleKeys: [`payout ${id}`, 'payouts', 'agent account'],
        needsRecentSignIn: true,
      })
      goToNext('payouts', id)
    })
  const choose = (chosen: Action) => {
    setDraft({ ...draft, action: chosen })
    requestAnimationFrame(focusNext)
  }
  useKeys(
    actions.map((one) => ({ keys: KEYS[one], does: words.payouts.actions[one], run: () => choose(one) })),
  )
  if (action === undefined) return null
  const isMissing =
    (action === 'settle' && draft.reference.trim() === '') || (action === 'fail' && draft.note.trim() === '')
  return (
    <form
      class="decision"
      aria-label={words.payouts.decide}
      onSubmit={(event) => {
        event.preventDefault()
        act()
      }}
    >
      <h2>{words.payouts.decide}</h2>
      {status === 'AWAITING_APPROVAL' && createdBy === administrator.value && (
        <p class="quiet">{words.payouts.secondPerson}</p>
      )}
      <Select
        label={words.journal.action}
        value={action}
        options={actions.map((one) => [one, `${words.payouts.actions[one]} (${KEYS[one]})`] as const)}
        set={(chosen) => setDraft({ ...draft, action: chosen })}
      />
      {action === 'settle' && (
        <>
          <Input
            label={words.payouts.reference}
            value={draft.reference}
            set={(reference) => setDraft({ ...draft, reference })}
            isRequired
          />
          <Input
            label={words.payouts.paidAt}
            type="datetime-local"
            value={paidAt}
            set={(typed) => setDraft({ ...draft, paidAt: typed })}
            isRequired
          />
        </>
      )}
      {action === 'fail' && (
        <Area label={words.payouts.note} value={draft.note} set={(note) => setDraft({ ...draft, note })} />
      )}
      <SendingFailed of={sending} subject={id} />
      <div class="buttons">
        <button
          type="submit"
          class={action === 'approve' || action === 'settle' ? 'primary' : 'danger'}
          disabled={sending.isBusy || isMissing}
        >
          {words.payouts.actions[action]}
        </button>
      </div>
    </form>
  )
}

/** Puts the focus into the first field of the chosen action, or on the button if the action has no field. */
const focusNext = (): void => {
  // The first element is the one that chooses the action.
  const [, ...fields] = document.querySelectorAll<HTMLElement>('.decision :is(select, input, textarea)')
  const next = fields[0] ?? document.querySelector<HTMLElement>('.decision button[type=submit]')
  next?.focus()
}

/** Returns the request body of an action; undefined for an action without one. */
function bodyOf(action: Action, { reference, paidAt, note }: Draft): object | undefined {
  if (action === 'settle')
    return {
      reference: reference.trim(),
      paidAt: new Date(paidAt).toISOString(),
    } satisfies Schema<'SettlePayoutBody'>
  return action === 'fail' ? ({ note: note.trim() } satisfies Schema<'FailPayoutBody'>) : undefined
}
