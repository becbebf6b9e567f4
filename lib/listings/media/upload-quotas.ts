import type { Account } from '#lib/accounts/account'
import { type Quota, type Quotas, quotaExceeded } from '#lib/kernel/quota'
import type { Write } from '#lib/kernel/write'
import type { Viewer } from '#lib/listings/viewer'

const HOUR = 60 * 60
const MEBIBYTE = 1024 * 1024

/** How many files an agent may add. */
const FILES: Quota = { policy: 'files', limit: 200, windowSeconds: HOUR }

/** How many bytes an agent may add, with a verified e-mail and without. */
const BYTES: Quota = { policy: 'uploaded-bytes', limit: 2048 * MEBIBYTE, windowSeconds: 24 * HOUR }
const BYTES_UNPROVEN: Quota = { ...BYTES, limit: 50 * MEBIBYTE }

/** Counts the files that a listing's owner adds; an administrator's are not counted. Throws `too_many_requests`. */
export function countUploads(
  quotas: Quotas,
  { owner, viewer }: { owner: Account | undefined; viewer: Viewer },
  files: readonly { bytes: number }[],
  at: Date,
): Write[] {
  if (viewer !== 'owner' || !owner || files.length === 0) return []
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const quota = owner.emailVerified ? BYTES : BYTES_UNPROVEN
  // More than the whole quota at once would be counted in a window that is still empty.
  if (total > quota.limit) throw quotaExceeded(quota, at)
  return [quotas.count(FILES, owner.id, at, files.length), quotas.count(quota, owner.id, at, total)]
}
