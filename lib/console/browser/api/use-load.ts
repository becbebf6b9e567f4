import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asRefusal, type Refusal } from './refusal.ts'

/** A value of the API, undefined until it is loaded. A loaded value stays while it is loaded again. */
export type Loading<T> = {
  value: T | undefined
  failure: Refusal | undefined
  /** Resolves whether the value was loaded, and no newer load has begun meanwhile. */
  reload: () => Promise<boolean>
}

/** A polled value is loaded again after this time while the page is visible, to show what others changed. */
const POLL_MILLISECONDS = 10_000

/** Whether a value is polled: never, since the journal may record every reading of it. */
export const pollNever = () => false

/** Whether a value is polled: always, since others may change it while it is shown. */
export const pollAlways = () => true

/** Values by key, so that a page that was seen before is there at once. */
const loadedValues = new Map<string, unknown>()

/** Forgets the loaded value of a key, so that the next page that shows it loads it again. */
const forget = (key: string): void => void loadedValues.delete(key)

/** The values that components show now, and how each is loaded again. */
const shownValues = new Set<{ key: string; reload: () => Promise<boolean> }>()

/**
 * Loads stale values again where they are shown, and forgets the others. Each given key stands for itself and for all keys
 * of which it is the first word.
 */
export async function renewLoaded(keys: readonly string[]): Promise<void> {
  const isStale = (key: string) => keys.some((one) => key === one || key.startsWith(`${one} `))
  const readers = [...shownValues].filter(({ key }) => isStale(key))
  const shownKeys = new Set(readers.map(({ key }) => key))
  for (const key of loadedValues.keys()) {
    if (isStale(key) && !shownKeys.has(key)) forget(key)
  }
  await Promise.all(readers.map(({ reload }) => reload()))
}

/**
 * Loads a value when the page shows it and whenever `key` changes; where `isPolled` says so, every ten seconds too. An
 * older answer never replaces a newer one.
 */
export function useLoad<T>(
  key: string,
  load: () => Promise<T>,
  isPolled: () => boolean = pollNever,
): Loading<T> {
  const [, redraw] = useState(0)
  // The state of the present key; `loads` is the number of its loads so far.
  const loading = useRef({ key, failure: undefined as Refusal | undefined, loads: 0, load })
  const polled = useRef(isPolled)
  polled.current = isPolled
  if (loading.current.key !== key) loading.current = { key, failure: undefined, loads: 0, load }
  else loading.current.load = load

  const reload = useCallback(async () => {
    const mine = loading.current
    mine.loads += 1
    const ownNumber = mine.loads
    const loaded = await mine.load().then(
      (value) => ({ value }),
      (thrown: unknown) => ({ failure: asRefusal(thrown) }),
    )
    // A newer load has begun meanwhile, and its answer counts.
    if (mine.loads !== ownNumber) return false
    if ('value' in loaded) loadedValues.set(mine.key, loaded.value)
    mine.failure = 'failure' in loaded ? loaded.failure : undefined
    // After a change of the key the answer is kept for its own key, and not shown.
    if (loading.current === mine) redraw((count) => count + 1)
    return 'value' in loaded
  }, [])

  useEffect(() => {
    void reload()
    const own = { key, reload }
    shownValues.add(own)
    const end = whileSeen(() => polled.current() && void reload())
    return () => {
      shownValues.delete(own)
      end()
    }
  }, [key, reload])

  return { value: loadedValues.get(key) as T | undefined, failure: loading.current.failure, reload }
}

/**
 * Calls something every ten seconds while the page is visible, and when the page becomes visible or is online again.
 * Returns a function that ends this.
 */
function whileSeen(call: () => void): () => void {
  const ifSeen = () => {
    if (document.visibilityState === 'visible') call()
  }
  const timer = setInterval(ifSeen, POLL_MILLISECONDS)
  addEventListener('online', ifSeen)
  document.addEventListener('visibilitychange', ifSeen)
  return () => {
    clearInterval(timer)
    removeEventListener('online', ifSeen)
    document.removeEventListener('visibilitychange', ifSeen)
  }
}
