import { DomainError } from './domain-error.ts'

/** A view and the version of its record, which changes whenever the view may. */
export type Versioned<View> = {
  readonly view: View
  readonly version: number | string
  /** The view is sent even to callers who have this version of it, because its links expire. */
  readonly isAlwaysSent?: boolean
}

/** The versions that a caller has seen. A change is accepted if the record still has one of them; undefined accepts any. */
export type SeenVersion = readonly string[] | undefined

/** Throws `version_conflict` with the record's present version unless the caller has seen it. */
export function refuseStale(version: number | string, seen: SeenVersion): void {
  if (seen === undefined || seen.includes(String(version))) return
  throw new DomainError('version_conflict', { version })
}
