import { useState } from 'preact/hooks'

const PREFIX = 'draft:'

const stored = (key: string): string | null => sessionStorage.getItem(PREFIX + key)

/** Returns a typed text as this tab stores it, so that a held decision can store it too. */
export const draftText = (key: string): string | undefined => stored(key) ?? undefined

/** Stores a text that a reader typed in another tab, unless this tab has one. */
export function restoreDraft(key: string, text: string | undefined): void {
  if (text !== undefined && stored(key) === null) sessionStorage.setItem(PREFIX + key, text)
}

/** Forgets what a reader typed. */
export const clearDraft = (key: string): void => sessionStorage.removeItem(PREFIX + key)

const OWNER = 'drafts-of'

/** Forgets what another administrator typed in this tab. */
export function keepDraftsOf(administrator: string): void {
  if (sessionStorage.getItem(OWNER) === administrator) return
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  sessionStorage.setItem(OWNER, administrator)
}

/**
 * Keeps typed text in this tab until `clear`, so that a reload, an expired sign-in or a lost network loses no word.
 * The text is gone when the tab is closed or the reader signs out.
 */
export function useDraft<T>(key: string, empty: T): [value: T, set: (value: T) => void, clear: () => void] {
  const [, redraw] = useState(0)
  const text = stored(key)
  const write = (value: T | undefined) => {
    if (value === undefined) clearDraft(key)
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(value))
    redraw((count) => count + 1)
  }
  return [text === null ? empty : draftIn(text, empty), write, () => write(undefined)]
}

/** Returns a stored text. A page of an earlier release may have stored fewer fields: the others are empty. */
function draftIn<T>(text: string, empty: T): T {
  const draft = JSON.parse(text)
  return typeof empty === 'object' ? { ...empty, ...draft } : draft
}

/** The JSON body of a request that moves money, and the idempotency key by which it does so once. */
export type KeyedRequest = { body: string; key: string }

/** Returns a body with its key. The same body keeps its key after a lost answer or a reload: sent twice, it pays once. */
export function requestWithKey(body: object, before: KeyedRequest | null): KeyedRequest {
  const text = JSON.stringify(body)
  return before?.body === text ? before : { body: text, key: crypto.randomUUID() }
}
