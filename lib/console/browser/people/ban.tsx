import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Props = { person: Schema<'UserInFull'> }

/** Bans a person, or lifts the ban. */
export const Ban = (props: Props) => (
  <UnlessDecisionUnsent subjects={[`account ${props.person.id}`]}>
    <BanForm {...props} />
  </UnlessDecisionUnsent>
)

function BanForm({ person: { id, status, name, email } }: Props) {
  const key = `ban ${id}`
  const subject = `account ${id}`
  const sending = useSending()
  const [reason, setReason] = useDraft(key, '')
  const isBanned = status === 'BANNED'
  const does = isBanned ? words.people.unban : words.people.ban
  useKeys([{ keys: 'b', does, run: () => focusForm(words.people.account) }])
  const change = () =>
    sending.send(async () => {
      const body = {
        status: isBanned ? 'ACTIVE' : 'BANNED',
        reason: isBanned ? null : reason.trim() || null,
      } satisfies Schema<'UpdateUserBody'>
      sendUnlessUndone({
        subject,
        text: `${name ?? email}: ${isBanned ? words.people.unbanned : words.people.banned}`,
        link: linkTo('people', id),
        change: { path: `/admin/users/${id}`, body },
        draft: key,
        staleKeys: [`person ${id}`, 'people'],
        needsRecentSignIn: true,
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
      <SendingFailed of={sending} subject={subject} />
      <div class="buttons">
        <button type="submit" class={isBanned ? '' : 'danger'}>
          {does} <kbd>b</kbd>
        </button>
      </div>
    </form>
  )
}
