import { useRef } from 'preact/hooks'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { forget, useLoad } from '../api/use-load.ts'
import { useDraft } from '../app/drafts.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { Differences, differencesBetween } from '../parts/differences.tsx'
import { Area, Chips, SendingFailed, useSending } from '../parts/form.tsx'
import { readPerson } from '../people/read-person.ts'
import { lackedRole } from '../session/session.ts'
import { codes, listingSentences, moderationReasons, words } from '../words/words.ts'
import { fieldTexts } from './listing-texts.ts'
import { EMPTY_MODERATION, type ModerationDraft, moderate, sayModerated, type Verdict } from './moderate.ts'

type Listing = Schema<'Listing'>

/** What a moderator may do in each status; a pending revision can be published or refused beside that. */
const VERDICTS: Partial<Record<Listing['status'], readonly Verdict[]>> = {
  PENDING_REVIEW: ['PUBLISHED', 'REJECTED'],
  PUBLISHED: ['SUSPENDED'],
  SUSPENDED: ['PUBLISHED', 'REJECTED'],
}

type Props = { listing: Listing; etag: string | undefined; reload: () => Promise<void> }

/** A moderator's decision on a listing or its revision, conditional on what the moderator saw. */
export function ModerationForm({ listing, etag, reload }: Props) {
  const { id, status, revision } = listing
  const [draft, setDraft, clear] = useDraft(`listing ${id}`, EMPTY_MODERATION)
  const sending = useSending()
  const seen = useRef<Record<string, string> | undefined>(undefined)
  const agent = useLoad(`person ${listing.agent.userId}`, async () =>
    lackedRole('people') === undefined ? readPerson(listing.agent.userId) : undefined,
  )
  const locale = agent.value?.locale ?? 'en'
  const verdicts = new Set([
    ...(status === 'PUBLISHED' && revision ? (['PUBLISHED', 'REJECTED'] as const) : []),
    ...(VERDICTS[status] ?? []),
  ])
  const edit = (change: Partial<ModerationDraft>) => setDraft({ ...draft, ...change })
  const decide = (verdict: Verdict) => {
    if (!verdicts.has(verdict)) return
    sending.send(async () => {
      try {
        const done = await moderate(id, verdict, draft, etag)
        clear()
        forget(`listing ${id}`)
        sayModerated(
          listing,
          `${listing.title ?? words.listings.untitled}: ${BUTTONS[verdict].text}`,
          verdict,
          done.etag,
        )
      } catch (thrown) {
        if (asRefusal(thrown).problem.code === 'version_conflict') {
          seen.current = fieldTexts(listing)
          await reload()
        }
        throw thrown
      }
      goToNext('listings', id)
    })
  }
  useKeys([
    { keys: 'p', does: words.listings.publish, run: () => focusButton('p') },
    { keys: 'x', does: words.listings.reject, run: () => focusButton('x') },
    { keys: 's', does: words.listings.suspend, run: () => focusButton('s') },
  ])
  if (verdicts.size === 0) return null
  return (
    <form class="decision" aria-label={words.decision.title} onSubmit={(event) => event.preventDefault()}>
      <h2>{words.decision.title}</h2>
      {seen.current && (
        <div class="notice warn" role="alert">
          <p>{words.decision.changed}</p>
          <Differences
            of={differencesBetween(seen.current, fieldTexts(listing))}
            label={words.decision.changed}
          />
        </div>
      )}
      <Chips
        label={words.decision.reasons}
        options={moderationReasons}
        chosen={draft.reasons}
        set={(reasons) => edit({ reasons })}
      />
      <Area
        label={words.decision.message}
        value={draft.message}
        set={(message) => edit({ message })}
        lang={locale}
        aside={
          <button
            type="button"
            class="plain"
            disabled={draft.reasons.length === 0}
            title={words.decision.readyIn(codes.language[locale])}
            onClick={() =>
              edit({
                message: [draft.message, listingSentences(locale, draft.reasons)].filter(Boolean).join('\n'),
              })
            }
          >
            {words.decision.ready}
          </button>
        }
      />
      <Area label={words.decision.note} value={draft.note} set={(note) => edit({ note })} />
      <SendingFailed of={sending} />
      <div class="buttons">
        {[...verdicts].map((verdict) => (
          <button
            key={verdict}
            type="button"
            data-key={BUTTONS[verdict].key}
            class={BUTTONS[verdict].style}
            disabled={sending.isBusy}
            onClick={() => decide(verdict)}
          >
            {verdict === 'PUBLISHED' && status === 'SUSPENDED'
              ? words.listings.restore
              : BUTTONS[verdict].text}{' '}
            <kbd>{BUTTONS[verdict].key}</kbd>
          </button>
        ))}
      </div>
    </form>
  )
}

const BUTTONS: Record<Verdict, { text: string; style: string; key: string }> = {
  PUBLISHED: { text: words.listings.publish, style: 'primary', key: 'p' },
  REJECTED: { text: words.listings.reject, style: 'danger', key: 'x' },
  SUSPENDED: { text: words.listings.suspend, style: 'danger', key: 's' },
}
