import { DomainError } from '#lib/kernel/domain-error'
import { etagOf, type Listing } from './listing.ts'

/**
 * Holds a change to the version its caller saw: `version_conflict` when another has come since. `If-Match` compares
 * strongly; `*` matches whatever is there (RFC 9110, section 13.1.1).
 */
export function refuseStale(listing: Listing, ifMatch: string | null): void {
  if (ifMatch === null) return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(etagOf(listing))) throw new DomainError('version_conflict')
}
