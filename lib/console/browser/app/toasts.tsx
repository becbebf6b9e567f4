import { signal } from '@preact/signals'
import { asRefusal } from '../api/refusal.ts'
import { refusalText } from '../parts/states.tsx'
import { words } from '../words/words.ts'
import { renewSignIn } from './renewal.ts'

/** Undoes what was done. False where something came after it. */
type Undo = () => Promise<boolean>

type Action = { text: string; run: (button: HTMLElement) => void }

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
  show(text, isBad, undo && { text: words.common.undo, run: () => void runUndo(undo) })
}

function show(text: string, isBad: boolean, action?: Action): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, text, isBad, action }]
  setTimeout(() => drop(id), action ? UNDO_MILLISECONDS : SHOWN_MILLISECONDS)
}

/** Says why something was not done, with the way to a recent sign-in where that was missing. */
export function sayRefused(thrown: unknown): void {
  const refusal = asRefusal(thrown)
  const isOld = refusal.problem.code === 'step_up_required'
  show(refusalText(refusal), true, isOld ? { text: words.session.renew, run: renewSignIn } : undefined)
}

async function runUndo(undo: Undo): Promise<void> {
  try {
    if (await undo()) say(words.common.undone)
    else say(words.common.overtaken, { isBad: true })
  } catch (thrown) {
    sayRefused(thrown)
  }
}

/** What was said lately. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((toast) => (
      <div key={toast.id} class={toast.isBad ? 'bad' : ''}>
        <span dir="auto">{toast.text}</span>
        {toast.action && (
          <button
            type="button"
            class="plain"
            onClick={({ currentTarget }) => {
              drop(toast.id)
              toast.action?.run(currentTarget)
            }}
          >
            {toast.action.text}
          </button>
        )}
      </div>
    ))}
  </div>
)
