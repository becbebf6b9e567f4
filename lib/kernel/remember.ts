import { type Clock, MINUTE_SECONDS, secondsAfter } from './clock.ts'

/** The age at which a value is read again: that long after a change every running function uses the new one. */
const LIFETIME_SECONDS = 5 * MINUTE_SECONDS

/** The shortest time between two readings. After one that failed each request would wait until the next one fails, too. */
const RENEWAL_SECONDS = 10

/** A value that is kept for a while after it was read. */
export type Remembered<T> = {
  /** Returns the value, at most five minutes old, or the last one while it cannot be read again. Throws if it was never read. */
  current: () => Promise<T>
  /** Returns the value read again; undefined if that is not due yet, ten seconds after the last reading. */
  renewed: () => Promise<T | undefined>
}

/** Remembers what is read, at the first need and every five minutes, so that it changes under running functions. */
export function remember<T>(read: () => Promise<T>, now: Clock): Remembered<T> {
  let known: { value: T; readAt: Date } | undefined
  let failedAt: Date | undefined
  let reading: Promise<T> | undefined

  const load = async () => {
    try {
      const value = await read()
      known = { value, readAt: now() }
      return value
    } catch (cause) {
      if (!known) throw cause
      failedAt = now()
      return known.value
    } finally {
      reading = undefined
    }
  }
  const isPaused = () => failedAt !== undefined && now() < secondsAfter(failedAt, RENEWAL_SECONDS)
  const isOutdated = (seconds: number) =>
    !known || (secondsAfter(known.readAt, seconds) <= now() && !isPaused())
  const refresh = () => {
    reading ??= load()
    return reading
  }
  return {
    current: async () => (known && !isOutdated(LIFETIME_SECONDS) ? known.value : refresh()),
    renewed: async () => (isOutdated(RENEWAL_SECONDS) ? refresh() : undefined),
  }
}
