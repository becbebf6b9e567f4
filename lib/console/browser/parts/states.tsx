import type { ComponentChildren } from 'preact'
import type { Refusal } from '../api/refusal.ts'
import type { Loading } from '../api/use-load.ts'
import { renewSignIn } from '../app/renewal.ts'
import { codes, words } from '../words/words.ts'

/** Returns the meaning of a refusal in the reader's words: by its fields, else by its code, else the API's own text. */
export function refusalText({ problem: { code, detail, errors = [] } }: Refusal): string {
  const faults = errors.map(({ path }) => codes.fault[path] ?? words.common.notValid(nameOfField(path)))
  return [...new Set(faults)].join(' ') || (codes.problem[code] ?? detail ?? code)
}

const nameOfField = (path: string): string => codes.detail[path] ?? codes.listingField[path] ?? path

/** A refusal, with the id of the request, by which the operator finds it in the log. */
export const Failed = ({ failure, retry }: { failure: Refusal; retry?: () => void }) => (
  <div class="notice bad" role="alert">
    <p>{refusalText(failure)}</p>
    {failure.problem.requestId !== undefined && (
      <p class="quiet">{words.common.problem(failure.problem.code, failure.problem.requestId)}</p>
    )}
    {failure.problem.code === 'step_up_required' && (
      <button type="button" onClick={({ currentTarget }) => renewSignIn(currentTarget)}>
        {words.session.renew}
      </button>
    )}
    {retry && (
      <button type="button" onClick={retry}>
        {words.common.retry}
      </button>
    )}
  </div>
)

/** The text of an empty list. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** Grey lines while something is loaded. */
export const Skeleton = ({ rows = 6 }: { rows?: number }) => (
  <div class="skeleton" role="status" aria-label={words.common.loading}>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} />
    ))}
  </div>
)

/**
 * Shows a value once it is loaded, and grey lines before. Where loading again fails, the refusal stands above the older
 * value, except offline: the page says that already. Where no value was ever loaded, the refusal stands alone.
 */
export function Loaded<T>({ of, children }: { of: Loading<T>; children: (value: T) => ComponentChildren }) {
  if (of.value !== undefined)
    return (
      <>
        {of.failure && of.failure.problem.code !== 'offline' && (
          <Failed failure={of.failure} retry={of.reload} />
        )}
        {children(of.value)}
      </>
    )
  return of.failure ? <Failed failure={of.failure} retry={of.reload} /> : <Skeleton />
}
