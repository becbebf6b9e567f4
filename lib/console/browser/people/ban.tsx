import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { say } from '../app/toasts.tsx'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { words } from '../words/words.ts'
import { readPerson } from './read-person.ts'

type Props = { person: Schema<'UserInFull'>; reload: () => Promise<void> }

const setStatus = (id: string, status: Schema<'AccountStatus'>, reason: string | null) =>
  read(api.PATCH('/admin/users/{id}', { params: { path: { id } }, body: { status, reason } }))

/** Bans a person, or lifts the ban. A ban can be undone for as long as nothing came after it. */
export function Ban({ person: { id, status, name, email }, reload }: Props) {
  const [reason, setReason, clear] = useDraft(`ban ${id}`, '')
  const sending = useSending()
  const isBanned = status === 'BANNED'
  const change = () =>
    sending.send(async () => {
      const done = await setStatus(
        id,
        isBanned ? 'ACTIVE' : 'BANNED',
        isBanned ? null : reason.trim() || null,
      )
      clear()
      await reload()
      if (isBanned) return say(words.people.unbanned)
      say(`${name ?? email}: ${words.people.banned}`, {
        undo: async () => {
          const now = await readPerson(id)
          if (now.status !== 'BANNED' || now.updatedAt !== done.updatedAt) return false
          await setStatus(id, 'ACTIVE', null)
          await reload()
          return true
        },
      })
    })
  return (
    <form
      class="decision"
      aria-label={words.people.account}
      onSubmit={(event) => {
        event.preventDefault()
        change()
      }}
    >
      <h2>{words.people.account}</h2>
      {!isBanned && (
        <>
          <p class="quiet">{words.people.banAsk}</p>
          <Area label={words.people.banReason} value={reason} set={setReason} />
        </>
      )}
      <SendingFailed of={sending} />
      <div class="buttons">
        <button type="submit" class={isBanned ? '' : 'danger'} disabled={sending.isBusy}>
          {isBanned ? words.people.unban : words.people.ban}
        </button>
      </div>
    </form>
  )
}
