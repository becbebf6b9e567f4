import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { dateTime } from '../parts/format.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Props = { person: Schema<'UserInFull'> }

/** Removes all second factors of a person, 24 hours after the request; shows the time of a requested removal. */
export const SecondFactorRemoval = (props: Props) => (
  <UnlessDecisionUnsent subjects={[subjectOf(props.person)]}>
    <OpenForm {...props} />
  </UnlessDecisionUnsent>
)

const subjectOf = ({ id }: Props['person']): string => `second factor ${id}`

function OpenForm({ person }: Props) {
  const { id, name, email, removesAt } = person
  const subject = subjectOf(person)
  const [note, setNote] = useDraft(subject, '')
  const sending = useSending()
  useKeys(
    removesAt === null
      ? [{ keys: 'f', does: words.people.removeFactors, run: () => focusForm(words.people.removeFactors) }]
      : [],
  )
  const remove = () =>
    sending.send(async () =>
      sendUnlessUndone({
        subject,
        text: `${name ?? email}: ${words.people.removeFactors}`,
        link: linkTo('people', id),
        change: {
          method: 'DELETE',
          path: `/admin/users/${id}/second-factor`,
          body: { note: note.trim() } satisfies Schema<'RemoveSecondFactorBody'>,
        },
        draft: subject,
        staleKeys: [`person ${id}`],
        needsRecentSignIn: true,
      }),
    )
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
          <SendingFailed of={sending} subject={subject} />
          <div class="buttons">
            <button type="submit" class="danger" disabled={sending.isBusy || note.trim() === ''}>
              {words.people.removeFactors} <kbd>f</kbd>
            </button>
          </div>
        </>
      )}
    </form>
  )
}
