import { signIn } from '../session/session.ts'

const KEPT = 'renewal'

/**
 * Leaves to sign in again for an action that asks for a recent sign-in. Typed text is kept, and its form is shown after
 * the return.
 */
export function renewSignIn(from: HTMLElement): void {
  sessionStorage.setItem(KEPT, from.closest('form')?.ariaLabel ?? '')
  void signIn({ isAnew: true })
}

/** Returns once the name of the form for which the reader has just signed in again; else undefined. */
export function takeRenewedForm(): string | undefined {
  const name = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  return name ?? undefined
}
