import { DAY_SECONDS, HOUR_SECONDS } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { type Quota, type QuotaReader, type QuotaStore, type Quotas, quotaExceeded } from '#lib/kernel/quota'
import type { Write } from '#lib/kernel/write'
import type { FileKind } from '#lib/media/file-kind'

const MEBIBYTE = 1024 * 1024

/** The number of files that a person may add in an hour, media and identity documents together. */
const filesOf = (limit: number): Quota => ({ policy: 'files', limit, windowSeconds: HOUR_SECONDS })

/** The number of bytes that a person may add in a day. */
const BYTES: Quota = { policy: 'uploaded-bytes', limit: 2048 * MEBIBYTE, windowSeconds: DAY_SECONDS }

/** The number of a person's PDFs that may take too long in an hour: each holds one of few decoders for seconds. */
const SLOW_PDFS: Quota = { policy: 'slow-pdfs', limit: 3, windowSeconds: HOUR_SECONDS }

/** Who adds files, and how many in an hour they may add. */
type Uploader = { id: UserId; filesAnHour: number }

/** Counts the files that a person adds; for an administrator (undefined) it counts none. Throws `too_many_requests`. */
export function countUploads(
  quotas: Quotas,
  uploader: Uploader | undefined,
  files: readonly { bytes: number }[],
  at: Date,
): Write[] {
  if (!uploader || files.length === 0) return []
  const filesQuota = filesOf(uploader.filesAnHour)
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  // The counter's own condition does not refuse a request that exceeds the whole quota in an empty window.
  if (files.length > filesQuota.limit) throw quotaExceeded(filesQuota, at)
  if (total > BYTES.limit) throw quotaExceeded(BYTES, at)
  return [
    quotas.count(filesQuota, uploader.id, at, files.length),
    quotas.count(BYTES, uploader.id, at, total),
  ]
}

/** Returns the condition that a person may add these files: no PDF after three that took too long in the hour. */
export const requireQuickPdfs = (
  quotas: QuotaReader,
  uploader: Pick<Uploader, 'id'> | undefined,
  files: readonly { kind: FileKind }[],
  at: Date,
): Write[] =>
  uploader && files.some(({ kind }) => kind === 'document')
    ? [quotas.requireLeft(SLOW_PDFS, uploader.id, at)]
    : []

/** Counts a person's PDF that took too long. */
export const countSlowPdf = (quotas: QuotaStore, person: UserId, at: Date): Write =>
  quotas.countAlways(SLOW_PDFS, person, at)
