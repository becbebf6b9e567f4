import type { Change } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { type DecisionMessages, messageFor } from '../parts/decision-messages.ts'

/** The verdicts of a moderator on a listing. */
export type Verdict = Schema<'ModerateListingBody'>['status']

/** The words of a moderator next to the verdict. */
export type ModerationDraft = DecisionMessages & {
  /** The verdict whose reasons are being chosen. */
  verdict?: Verdict
  reasons: Schema<'ModerationReason'>[]
  note: string
}

/** An empty form. */
export const EMPTY_MODERATION: ModerationDraft = { reasons: [], message: '', note: '' }

/** Returns the change that decides on a listing or its revision, conditional on the version that the moderator saw. */
export function moderation(
  id: string,
  status: Verdict,
  { reasons, note, ...messages }: ModerationDraft,
  etag: string | undefined,
): Change {
  const isRefusal = status !== 'PUBLISHED'
  const body = {
    status,
    ...(isRefusal && { reasons }),
    message: messageFor(isRefusal, messages).trim() || null,
    note: note.trim() || null,
  } satisfies Schema<'ModerateListingBody'>
  return { path: `/listings/${id}/moderate`, body, etag }
}
