import { MINUTE_SECONDS } from '#lib/kernel/clock'
import type { ExportId, UserId } from '#lib/kernel/id'

/** The time for which a link to an export works. */
export const EXPORT_LINK_SECONDS = 5 * MINUTE_SECONDS

/** Where exports that are too large for an answer are stored, encrypted; the bucket removes them after a day. */
export type ExportFiles = {
  put: (userId: UserId, exportId: ExportId, json: Buffer) => Promise<void>
  /** Removes every export of a person. */
  removeAll: (userId: UserId) => Promise<void>
}

/** The only way to read an export that was stored. */
export type ExportLinks = {
  /** A link that works for five minutes without a credential. */
  linkTo: (userId: UserId, exportId: ExportId) => Promise<string>
}
