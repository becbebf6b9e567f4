import { type Answer, api, ask } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { forget } from '../api/use-load.ts'
import { say } from '../app/toasts.tsx'

type Listing = Schema<'Listing'>

/** What a moderator can make of a listing. */
export type Verdict = Schema<'ModerateListingBody'>['status']

/** What a moderator writes beside the verdict. */
export type ModerationDraft = {
  /** The verdict whose reasons are being chosen. */
  verdict?: Verdict
  reasons: Schema<'ModerationReason'>[]
  message: string
  note: string
}

/** Nothing written yet. */
export const EMPTY_MODERATION: ModerationDraft = { reasons: [], message: '', note: '' }

/** Decides on a listing or its revision, on condition that it is still what the moderator saw. */
export const moderate = (
  id: string,
  status: Verdict,
  { reasons, message, note }: ModerationDraft,
  etag: string | undefined,
): Promise<Answer<Listing>> =>
  ask(
    api.PATCH('/listings/{id}/moderate', {
      params: { path: { id }, header: { 'If-Match': etag } },
      body: {
        status,
        ...(status !== 'PUBLISHED' && { reasons }),
        message: message.trim() || null,
        note: note.trim() || null,
      },
    }),
  )

/** Says what was decided. A suspension can be undone for as long as nothing came after it. */
export function sayModerated(
  { id }: Listing,
  text: string,
  verdict: Verdict,
  etag: string | undefined,
): void {
  const restore = async () => {
    try {
      await moderate(id, 'PUBLISHED', EMPTY_MODERATION, etag)
      forget(`listing ${id}`)
      return true
    } catch (thrown) {
      if (asRefusal(thrown).problem.code === 'version_conflict') return false
      throw thrown
    }
  }
  say(text, verdict === 'SUSPENDED' ? { undo: restore } : {})
}
