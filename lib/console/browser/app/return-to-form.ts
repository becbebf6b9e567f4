import { words } from '../words/words.ts'
import { takeRenewedForm } from './renewal.ts'
import { say } from './toasts.tsx'

/** The time that the form has to appear: its page first loads what it shows. */
const WAITED_MILLISECONDS = 10_000

/** Returns to the form from which the reader renewed the sign-in: its button gets the focus, so that Enter presses it. */
export function returnToForm(): void {
  const name = takeRenewedForm()
  if (name === undefined) return
  say(words.session.renewed)
  const focusForm = () => {
    const button = document.querySelector<HTMLElement>(
      `form[aria-label="${CSS.escape(name)}"] .buttons button:enabled`,
    )
    button?.focus()
    if (button) observer.disconnect()
  }
  const observer = new MutationObserver(focusForm)
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), WAITED_MILLISECONDS)
}
