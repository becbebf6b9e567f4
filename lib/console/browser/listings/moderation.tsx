import { useState } from 'preact/hooks'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { useDraft } from '../app/drafts.ts'
import { seenBeforeConflict, sendUnlessUndone } from '../app/held.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { DecisionForm } from '../parts/decision-form.tsx'
import { editedMessage, messageFor } from '../parts/decision-messages.ts'
import { Differences, differencesBetween } from '../parts/differences.tsx'
import { Area } from '../parts/form.tsx'
import { focusReasons, Message, ReasonMissing, Reasons } from '../parts/reasons.tsx'
import { readPerson } from '../people/read-person.ts'
import { lackedRole } from '../session/session.ts'
import { listingSentences, moderationReasons, words } from '../words/words.ts'
import { fieldTexts } from './listing-texts.ts'
import { EMPTY_MODERATION, type ModerationDraft, moderation, type Verdict } from './moderate.ts'

type Listing = Schema<'Listing'>

/** The verdicts on a listing in each status. A pending revision can also be published or rejected. */
const VERDICTS: Partial<Record<Listing['status'], readonly Verdict[]>> = {
  PENDING_REVIEW: ['PUBLISHED', 'REJECTED'],
  PUBLISHED: ['SUSPENDED'],
  SUSPENDED: ['PUBLISHED', 'REJECTED'],
}

type Props = { listing: Listing; etag: string | undefined }

/** A moderator's decision on a listing or its revision, conditional on what the moderator saw. */
export function ModerationForm({ listing, etag }: Props) {
  const { id, status, revision } = listing
  const key = `listing ${id}`
  const [draft, setDraft] = useDraft(key, EMPTY_MODERATION)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const seen = seenBeforeConflict(id)
  const mayReadPeople = lackedRole('people') === undefined
  const agent = useLoad(`person ${listing.agent.userId}`, async () =>
    mayReadPeople ? readPerson(listing.agent.userId) : undefined,
  )
  const locale = agent.value?.locale ?? 'en'
  const verdicts = new Set([
    ...(status === 'PUBLISHED' && revision ? (['PUBLISHED', 'REJECTED'] as const) : []),
    ...(VERDICTS[status] ?? []),
  ])
  const edit = (change: Partial<ModerationDraft>) => {
    setDraft({ ...draft, ...change })
    setReasonMissing(false)
  }
  /** The chosen refusal, for which reasons are asked. A draft may hold one that the listing's status no longer allows. */
  const refusal = draft.verdict && verdicts.has(draft.verdict) ? draft.verdict : undefined
  const refuse = (verdict: Verdict) => {
    if (!verdicts.has(verdict)) return
    edit({ verdict })
    focusReasons()
  }
  const isRefusal = refusal !== undefined
  const message = messageFor(isRefusal, draft)
  const decide = (verdict: Verdict) => {
    if (verdict !== 'PUBLISHED' && draft.reasons.length === 0 && message.trim() === '')
      return setReasonMissing(true)
    sendUnlessUndone({
      subject: id,
      text: `${listing.title ?? words.listings.untitled}: ${BUTTONS[verdict].text}`,
      link: linkTo('listings', id),
      change: moderation(id, verdict, draft, etag),
      draft: key,
      staleKeys: [key, 'listings', 'reports'],
      seen: fieldTexts(listing),
    })
    goToNext('listings', id)
  }
  // A refusal first asks for its reasons. To publish takes one step, so its key only puts the focus on the button.
  useKeys([
    { keys: 'p', does: words.listings.publish, run: () => focusButton('p') },
    { keys: 'x', does: words.listings.reject, run: () => refuse('REJECTED') },
    { keys: 's', does: words.listings.suspend, run: () => refuse('SUSPENDED') },
  ])
  if (verdicts.size === 0) return null
  const button = (verdict: Verdict) => {
    const { text, style, key } = BUTTONS[verdict]
    const isChosen = verdict === refusal
    return (
      <button
        key={verdict}
        // Enter in the form presses the button of the chosen refusal.
        type={isChosen ? 'submit' : 'button'}
        data-key={key}
        class={style}
        aria-pressed={verdict === 'PUBLISHED' ? undefined : isChosen}
        onClick={(event) => {
          if (isChosen) return
          // A refusal turns its button into a submit button: this click must not submit yet.
          event.preventDefault()
          if (verdict === 'PUBLISHED') decide(verdict)
          else refuse(verdict)
        }}
      >
        {verdict === 'PUBLISHED' && status === 'SUSPENDED' ? words.listings.restore : text}{' '}
        <kbd>{isChosen ? '↵' : key}</kbd>
      </button>
    )
  }
  return (
    <DecisionForm
      decide={() => refusal && decide(refusal)}
      bar={
        <>
          {isReasonMissing && <ReasonMissing />}
          {[...verdicts].map(button)}
        </>
      }
    >
      {seen && (
        <div class="notice warn" role="alert">
          <p>{words.decision.changed}</p>
          <Differences of={differencesBetween(seen, fieldTexts(listing))} label={words.decision.changed} />
        </div>
      )}
      {refusal && (
        <Reasons options={moderationReasons} chosen={draft.reasons} set={(reasons) => edit({ reasons })} />
      )}
      <Message
        value={message}
        set={(written) => edit(editedMessage(isRefusal, written))}
        locale={locale}
        sentences={refusal && listingSentences(locale, draft.reasons)}
      />
      <Area label={words.decision.note} value={draft.note} set={(note) => edit({ note })} />
    </DecisionForm>
  )
}

const BUTTONS: Record<Verdict, { text: string; style: string; key: string }> = {
  PUBLISHED: { text: words.listings.publish, style: 'primary', key: 'p' },
  REJECTED: { text: words.listings.reject, style: 'danger', key: 'x' },
  SUSPENDED: { text: words.listings.suspend, style: 'danger', key: 's' },
}
