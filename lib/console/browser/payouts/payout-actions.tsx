import { api, read } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { say } from '../app/toasts.tsx'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { minuteOf, money } from '../parts/format.ts'
import { administrator } from '../session/session.ts'
import { words } from '../words/words.ts'

type Payout = Schema<'Payout'>
type Action = keyof typeof words.payouts.actions
type Draft = { action: Action | ''; reference: string; paidAt: string; note: string }

const KEYS: Record<Action, string> = { approve: 'a', settle: 'p', fail: 'f', cancel: 'x' }

/** The actions of an administrator on a payout in its state; its maker does not approve it. */
function actionsOf({ status, method, needsResolution, createdBy }: Payout): Action[] {
  if (status === 'AWAITING_APPROVAL')
    return createdBy === administrator.value ? ['cancel'] : ['approve', 'cancel']
  if (status === 'FAILED' && needsResolution) return ['fail']
  if (status !== 'PENDING') return []
  if (needsResolution) return ['settle', 'fail']
  return method === 'by_hand' ? ['settle', 'fail', 'cancel'] : ['cancel']
}

type Props = { payout: Payout; reload: () => Promise<void> }

/** Approves a payout, says that it was paid or did not arrive, or cancels it. */
export function PayoutActions({ payout, reload }: Props) {
  const { id, amount, currency, status, createdBy } = payout
  const [draft, setDraft, clear] = useDraft<Draft>(`payout ${id}`, {
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
      try {
        await SENDS[action](id, { ...draft, paidAt })
      } catch (thrown) {
        if (asRefusal(thrown).problem.code === 'payout_transition_not_allowed') await reload()
        throw thrown
      }
      clear()
      say(`${money(amount, currency)}: ${words.payouts.done[action]}`)
      await reload()
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
      <SendingFailed of={sending} />
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

/** Puts the focus where the chosen action goes on: into its first empty field, else on its button. */
const focusNext = (): void => {
  const [, ...fields] = document.querySelectorAll<HTMLElement>('.decision :is(select, input, textarea)')
  const next = fields[0] ?? document.querySelector<HTMLElement>('.decision button[type=submit]')
  next?.focus()
}

const SENDS: Record<Action, (id: string, draft: Draft) => Promise<Payout>> = {
  approve: (id) => read(api.POST('/admin/payouts/{id}/approve', { params: { path: { id } } })),
  cancel: (id) => read(api.POST('/admin/payouts/{id}/cancel', { params: { path: { id } } })),
  settle: (id, { reference, paidAt }) =>
    read(
      api.POST('/admin/payouts/{id}/settle', {
        params: { path: { id } },
        body: { reference: reference.trim(), paidAt: new Date(paidAt).toISOString() },
      }),
    ),
  fail: (id, { note }) =>
    read(api.POST('/admin/payouts/{id}/fail', { params: { path: { id } }, body: { note: note.trim() } })),
}
