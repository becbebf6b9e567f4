import { signal } from '@preact/signals'
import { asRefusal } from '../api/refusal.ts'
import { refusalText } from '../parts/states.tsx'
import { words } from '../words/words.ts'
import { renewSignIn } from './renewal.ts'

/** Undoes an action. Resolves to false where a later change prevents that. */
type Undo = () => Promise<boolean>

type Action = { text: string; run: (button: HTMLElement) => void; isUndo?: boolean }

type Toast = { id: number; text: string; isBad: boolean; action: Action | undefined }

const SHOWN_MILLISECONDS = 8_000
const UNDO_MILLISECONDS = 20_000

const toasts = signal<readonly Toast[]>([])
let lastId = 0

const drop = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Says at the edge of the page what was done, with a button that undoes it where that is possible. */
export function say(text: string, { undo, isBad = false }: { undo?: Undo; isBad?: boolean } = {}): void {
  const action = undo && { text: words.common.undo, isUndo: true, run: () => void runUndo(undo) }
  show({ text, isBad, action })
}

function show(message: Omit<Toast, 'id'>): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, ...message }]
  setTimeout(() => drop(id), message.action ? UNDO_MILLISECONDS : SHOWN_MILLISECONDS)
}

/**
 * Says why something was not done. The button renews the sign-in where a recent one was missing; else it is the
 * caller's `text` and `run`, if any.
 */
export function sayRefused(
  thrown: unknown,
  { about, ...button }: Partial<Action> & { about?: string } = {},
): void {
  const refusal = asRefusal(thrown)
  const needsSignIn = refusal.problem.code === 'step_up_required'
  const { text, run } = needsSignIn ? { text: words.session.renew, run: renewSignIn } : button
  const message = [about, refusalText(refusal)].filter(Boolean).join('. ')
  show({ text: message, isBad: true, action: text !== undefined && run ? { text, run } : undefined })
}

const latestUndoable = () => toasts.value.findLast(({ action }) => action?.isUndo)

/** Returns a function that undoes the action of the newest message, among those that can be undone. */
export function latestToastUndo(): (() => void) | undefined {
  const latest = latestUndoable()
  // An undo does not use its button.
  return latest && (() => act(latest, document.body))
}

function act({ id, action }: Toast, button: HTMLElement): void {
  drop(id)
  action?.run(button)
}

async function runUndo(undo: Undo): Promise<void> {
  try {
    if (await undo()) say(words.common.undone)
    else say(words.common.overtaken, { isBad: true })
  } catch (thrown) {
    sayRefused(thrown)
  }
}

/** The latest messages. With `hasKey`, the newest that can be undone shows the key `z`. */
export const Toasts = ({ hasKey }: { hasKey: boolean }) => {
  const latest = latestUndoable()
  return (
    <div class="said" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isBad ? 'toast bad' : 'toast'}>
          <span dir="auto">{toast.text}</span>
          {toast.action && (
            <button type="button" class="plain" onClick={({ currentTarget }) => act(toast, currentTarget)}>
              {toast.action.text} {hasKey && toast === latest && <kbd>z</kbd>}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
