import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { Input, SendingFailed, useSending } from '../parts/form.tsx'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Limits = Schema<'ListingLimits'>
type Props = { person: Schema<'UserInFull'> }

const NAMES = ['drafts', 'inReview', 'listings', 'files'] as const satisfies (keyof Limits)[]

/** The highest limit that the API accepts. */
const HIGHEST = 10_000

/** The limits of one agent. An empty field means the limit that applies to all agents. */
export const ListingLimits = (props: Props) => (
  <UnlessDecisionUnsent subjects={[subjectOf(props.person)]}>
    <OpenForm {...props} />
  </UnlessDecisionUnsent>
)

const subjectOf = ({ id }: Props['person']): string => `limits ${id}`

function OpenForm({ person }: Props) {
  const { id, name, email, listingLimits } = person
  const subject = subjectOf(person)
  const [typed, setTyped] = useDraft<Readonly<Partial<Record<keyof Limits, string>>>>(subject, {})
  const sending = useSending()
  const shown = (limit: keyof Limits) => typed[limit] ?? String(listingLimits?.[limit] ?? '')
  useKeys([{ keys: 'l', does: words.people.saveLimits, run: () => focusForm(words.people.limits) }])
  const save = () =>
    sending.send(async () => {
      const limits = Object.fromEntries(
        NAMES.filter((limit) => shown(limit) !== '').map((limit) => [limit, Number(shown(limit))]),
      )
      sendUnlessUndone({
        subject,
        text: `${name ?? email}: ${words.people.limitsSaved}`,
        link: linkTo('people', id),
        change: {
          path: `/admin/users/${id}`,
          body: { listingLimits: limits } satisfies Schema<'UpdateUserBody'>,
        },
        draft: subject,
        staleKeys: [`person ${id}`],
      })
    })
  return (
    <form
      class="decision"
      aria-label={words.people.limits}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h2>{words.people.limits}</h2>
      <p class="quiet">{words.people.limitsAsk}</p>
      {NAMES.map((limit) => (
        <Input
          key={limit}
          type="number"
          max={HIGHEST}
          label={words.people.limitNames[limit]}
          value={shown(limit)}
          set={(value) => setTyped({ ...typed, [limit]: value })}
        />
      ))}
      <SendingFailed of={sending} subject={subject} />
      <div class="buttons">
        <button type="submit" disabled={sending.isBusy}>
          {words.people.saveLimits} <kbd>l</kbd>
        </button>
      </div>
    </form>
  )
}
