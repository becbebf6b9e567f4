import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { Area, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { money } from '../parts/format.ts'
import { SubjectLink, Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

type Callback = Schema<'CallbackInFull'>
type Action = Schema<'CallbackResolution'>['action']

/** The actions on a callback that needs an administrator, by its status. */
const ACTIONS: Partial<Record<Callback['status'], readonly Action[]>> = {
  UNMATCHED: ['ATTACH', 'DISMISS'],
  MISMATCHED: ['ACCEPT', 'DISMISS'],
  CONFLICT: ['DISMISS'],
  FAILED: ['DISMISS'],
}

/** Whether a callback needs an administrator. */
export const hasResolution = ({ status }: Callback): boolean => ACTIONS[status] !== undefined

/** Dismisses a callback, attaches it to a payment, or accepts its sum. */
export function CallbackResolution({ of }: { of: Callback }) {
  const { id, type, status, candidates } = of
  const actions = ACTIONS[status] ?? []
  const draftKey = `callback ${id}`
  const [draft, setDraft] = useDraft<{ action: Action | ''; paymentId: string; note: string }>(draftKey, {
    action: '',
    paymentId: '',
    note: '',
  })
  const sending = useSending()
  const action = actions.find((one) => one === draft.action) ?? actions[0]
  const resolve = () =>
    sending.send(async () => {
      if (action === undefined) return
      sendUnlessUndone({
        subject: id,
        text: `${type}: ${words.callbacks.actions[action]}`,
        link: linkTo('callbacks', id),
        change: {
          method: 'POST',
          path: `/admin/payments/callbacks/${id}/resolve`,
          body: {
            action,
            note: draft.note.trim(),
            ...(action === 'ATTACH' && { paymentId: draft.paymentId.trim() }),
          } satisfies Schema<'CallbackResolution'>,
        },
        draft: draftKey,
        staleKeys: [`callback ${id}`, 'callbacks', 'payment', 'payments'],
        needsRecentSignIn: action !== 'DISMISS',
      })
      goToNext('callbacks', id)
    })
  // The key only moves the focus to the form, so that a stray key resolves no callback.
  useKeys(
    action === undefined
      ? []
      : [{ keys: 'a', does: words.callbacks.actions[action], run: () => focusForm(words.payments.resolve) }],
  )
  if (action === undefined) return null
  return (
    <form
      class="decision"
      aria-label={words.payments.resolve}
      onSubmit={(event) => {
        event.preventDefault()
        resolve()
      }}
    >
      <h2>{words.payments.resolve}</h2>
      <Select
        label={words.journal.action}
        value={action}
        options={actions.map((one) => [one, words.callbacks.actions[one]] as const)}
        set={(chosen) => setDraft({ ...draft, action: chosen })}
      />
      {action === 'ATTACH' && (
        <Candidates
          of={candidates}
          chosen={draft.paymentId}
          set={(paymentId) => setDraft({ ...draft, paymentId })}
        />
      )}
      {action === 'ATTACH' && (
        <Input
          label={words.callbacks.paymentId}
          value={draft.paymentId}
          set={(paymentId) => setDraft({ ...draft, paymentId })}
          isRequired
        />
      )}
      <Area label={words.payments.note} value={draft.note} set={(note) => setDraft({ ...draft, note })} />
      <SendingFailed of={sending} subject={id} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={sending.isBusy || draft.note.trim() === ''}>
          {words.callbacks.actions[action]} <kbd>a</kbd>
        </button>
      </div>
    </form>
  )
}

type CandidatesProps = {
  of: Callback['candidates']
  chosen: string
  set: (paymentId: string) => void
}

/** The payments that a callback may be about; the reader chooses one. */
const Candidates = ({ of, chosen, set }: CandidatesProps) =>
  of.length === 0 ? (
    <p class="quiet">{words.callbacks.noCandidates}</p>
  ) : (
    <fieldset class="choices">
      <legend>{words.callbacks.candidates}</legend>
      {of.map(({ id, amount, currency, status, createdAt }) => (
        <label key={id}>
          <input type="radio" name="candidate" checked={chosen === id} onChange={() => set(id)} />
          <span>
            <b>{money(amount, currency)}</b> {codes.paymentStatus[status]} <Time at={createdAt} />
          </span>
          <SubjectLink id={id} />
        </label>
      ))}
    </fieldset>
  )
