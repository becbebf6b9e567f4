import { useState } from 'preact/hooks'
import type { Answer } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { EMPTY_MODERATION, type ModerationDraft, moderation } from '../listings/moderate.ts'
import { Area } from '../parts/form.tsx'
import { focusReasons, ReasonMissing, Reasons } from '../parts/reasons.tsx'
import { moderationReasons, words } from '../words/words.ts'
import { CloseReports } from './close-reports.tsx'

type Props = {
  listing: Answer<Schema<'Listing'>>
  /** The time of the newest report that the reader has seen. */
  upTo: string
  /** The reporters' reasons: chosen until the reader chooses others. */
  reasons: Schema<'ModerationReason'>[]
}

/** Closes the reports of a listing. A published listing can also be suspended, which closes its reports as acted on. */
export function DecideOnReported({ listing: { value: listing, etag }, upTo, reasons }: Props) {
  const { id, title } = listing
  const key = `suspend ${id}`
  const [draft, setDraft] = useDraft<ModerationDraft>(key, {
    ...EMPTY_MODERATION,
    reasons,
  })
  const [isReasonMissing, setReasonMissing] = useState(false)
  const name = title ?? words.listings.untitled
  const isPublic = listing.status === 'PUBLISHED'
  const isChosen = isPublic && draft.verdict === 'SUSPENDED'
  const edit = (change: Partial<ModerationDraft>) => {
    setDraft({ ...draft, ...change })
    setReasonMissing(false)
  }
  const choose = () => {
    edit({ verdict: 'SUSPENDED' })
    focusReasons()
  }
  const suspend = () => {
    if (draft.reasons.length === 0 && draft.message.trim() === '') return setReasonMissing(true)
    sendUnlessUndone({
      subject: id,
      text: `${name}: ${words.reports.suspended}`,
      link: linkTo('reports', id),
      change: moderation(id, 'SUSPENDED', draft, etag),
      draft: key,
      staleKeys: [`listing ${id}`, `open reports ${id}`, 'reports', 'listings'],
    })
    goToNext('reports', id)
  }
  useKeys(isPublic ? [{ keys: 's', does: words.reports.suspend, run: choose }] : [])
  return (
    <CloseReports
      id={id}
      title={name}
      page="reports"
      upTo={upTo}
      path={`/admin/reports/${id}`}
      decide={() => isChosen && suspend()}
      bar={
        isPublic && (
          <>
            {isReasonMissing && <ReasonMissing />}
            <button
              // Enter in the form presses this button once the suspension is chosen.
              type={isChosen ? 'submit' : 'button'}
              data-key="s"
              class="danger"
              aria-pressed={isChosen}
              onClick={(event) => {
                if (isChosen) return
                // Choosing makes this a submit button; the click that chooses does not send the form.
                event.preventDefault()
                choose()
              }}
            >
              {words.reports.suspend} <kbd>{isChosen ? '↵' : 's'}</kbd>
            </button>
          </>
        )
      }
    >
      {isChosen && (
        <>
          <Reasons
            options={moderationReasons}
            chosen={draft.reasons}
            set={(chosen) => edit({ reasons: chosen })}
          />
          <Area label={words.decision.message} value={draft.message} set={(message) => edit({ message })} />
        </>
      )}
    </CloseReports>
  )
}
