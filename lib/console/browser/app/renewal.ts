import { signIn } from '../session/session.ts'

const KEPT = 'renewal'

/** Leaves to sign in anew for what asks for a recent sign-in. What is typed is kept, and its form is shown after the return. */
export function renewSignIn(from: HTMLElement): void {
  sessionStorage.setItem(KEPT, from.closest('form')?.ariaLabel ?? '')
  void signIn({ isAnew: true })
}

/** The name of the form for which the reader has just signed in anew, once; undefined where none was. */
export function takeRenewedForm(): string | undefined {
  const name = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  return name ?? undefined
}
