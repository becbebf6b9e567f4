import { signIn } from '../session/session.ts'

const STORAGE_KEY = 'renewal'

/**
 * Leaves to sign in again for an action that asks for a recent sign-in. Typed text is kept, and its form is shown after
 * the return.
 */
export function renewSignIn(from: HTMLElement): void {
  sessionStorage.setItem(STORAGE_KEY, from.closest('form')?.ariaLabel ?? '')
  void signIn({ reauthenticates: true })
}

/** Returns the name of the form for which the reader has just signed in again, the first time that it is called. */
export function takeRenewedForm(): string | undefined {
  const name = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  return name ?? undefined
}
