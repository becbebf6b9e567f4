import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { useDraft } from '../app/drafts.ts'
import { say } from '../app/toasts.tsx'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { dateTime } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Props = { person: Schema<'UserInFull'>; reload: () => Promise<void> }

/** Announces that every second factor of a person goes in 24 hours, after a question; says when, once it is announced. */
export function SecondFactorRemoval({ person: { id, removesAt }, reload }: Props) {
  const [note, setNote, clear] = useDraft(`second factor ${id}`, '')
  const sending = useSending()
  const remove = () =>
    sending.send(async () => {
      const question = {
        title: words.people.removeFactors,
        text: words.people.removeFactorsAsk,
        confirm: words.people.removeFactors,
      }
      if (!(await confirmed(question))) return
      await read(
        api.DELETE('/admin/users/{id}/second-factor', {
          params: { path: { id } },
          body: { note: note.trim() },
        }),
      )
      clear()
      say(words.people.factorsAnnounced)
      await reload()
    })
  return (
    <form
      class="panel"
      aria-label={words.people.removeFactors}
      onSubmit={(event) => {
        event.preventDefault()
        remove()
      }}
    >
      <h2>{words.people.secondFactor}</h2>
      {removesAt !== null ? (
        <p>{words.people.factorsGo(dateTime(removesAt))}</p>
      ) : (
        <>
          <p class="quiet">{words.people.removeFactorsHint}</p>
          <Area label={words.decision.note} value={note} set={setNote} />
          <SendingFailed of={sending} />
          <div class="buttons">
            <button type="submit" class="danger" disabled={sending.isBusy || note.trim() === ''}>
              {words.people.removeFactors}
            </button>
          </div>
        </>
      )}
    </form>
  )
}
