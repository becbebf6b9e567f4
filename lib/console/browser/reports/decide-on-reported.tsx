import { useState } from 'preact/hooks'
import type { Answer } from '../api/client.ts'
import { api, read } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { forget } from '../api/use-load.ts'
import { useDraft } from '../app/drafts.ts'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { EMPTY_MODERATION, type ModerationDraft, moderate, sayModerated } from '../listings/moderate.ts'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { focusReasons, ReasonMissing, Reasons } from '../parts/reasons.tsx'
import { moderationReasons, words } from '../words/words.ts'
import { CloseReports } from './close-reports.tsx'

type Props = {
  listing: Answer<Schema<'Listing'>>
  /** The time of the newest report that the reader has seen. */
  upTo: string
  /** What reporters gave as their reasons: chosen until the reader chooses others. */
  reasons: Schema<'ModerationReason'>[]
  reload: () => Promise<void>
}

/** Closes the reports of a listing, or suspends it where they are read while it is public, which closes them as acted on. */
export function DecideOnReported({ listing: { value: listing, etag }, upTo, reasons, reload }: Props) {
  const { id, title } = listing
  const [draft, setDraft, clear] = useDraft<ModerationDraft>(`suspend ${id}`, {
    ...EMPTY_MODERATION,
    reasons,
  })
  const [isLacking, setLacking] = useState(false)
  const sending = useSending()
  const isPublic = listing.status === 'PUBLISHED'
  const isChosen = isPublic && draft.verdict === 'SUSPENDED'
  const edit = (change: Partial<ModerationDraft>) => {
    setDraft({ ...draft, ...change })
    setLacking(false)
  }
  const choose = () => {
    edit({ verdict: 'SUSPENDED' })
    focusReasons()
  }
  const suspend = () => {
    if (draft.reasons.length === 0 && draft.message.trim() === '') return setLacking(true)
    sending.send(async () => {
      try {
        const done = await moderate(id, 'SUSPENDED', draft, etag)
        clear()
        forget(`listing ${id}`)
        const said = `${title ?? words.listings.untitled}: ${words.reports.suspended}`
        sayModerated(listing, said, 'SUSPENDED', done.etag)
      } catch (thrown) {
        if (asRefusal(thrown).problem.code === 'version_conflict') await reload()
        throw thrown
      }
      goToNext('reports', id)
    })
  }
  useKeys(isPublic ? [{ keys: 's', does: words.reports.suspend, run: choose }] : [])
  const params = { path: { listingId: id } }
  return (
    <CloseReports
      id={id}
      upTo={upTo}
      reload={reload}
      close={(body) => read(api.PATCH('/admin/reports/{listingId}', { params, body }))}
      done={() => goToNext('reports', id)}
      decide={() => isChosen && suspend()}
      bar={
        isPublic && (
          <>
            {isLacking && <ReasonMissing />}
            <SendingFailed of={sending} />
            <button
              // Enter among the reasons presses it.
              type={isChosen ? 'submit' : 'button'}
              data-key="s"
              class="danger"
              aria-pressed={isChosen}
              disabled={sending.isBusy}
              onClick={(event) => {
                if (isChosen) return
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
