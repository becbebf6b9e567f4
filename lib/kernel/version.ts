import { DomainError } from './domain-error.ts'

/** A view and the version of its record, which changes whenever the view may. */
export type Versioned<View> = {
  readonly view: View
  readonly version: number | string
  /** The view is sent to callers who have this version of it, too: it holds links that end. */
  readonly isAlwaysSent?: boolean
}

/** The versions of a record that its caller has seen, any of which a change may be of; undefined accepts any. */
export type SeenVersion = readonly string[] | undefined

/** Holds a change to a version that its caller saw. Throws `version_conflict` with the record's present version. */
export function refuseStale(version: number | string, seen: SeenVersion): void {
  if (seen === undefined || seen.includes(String(version))) return
  throw new DomainError('version_conflict', { version })
}
