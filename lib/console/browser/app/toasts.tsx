import { signal } from '@preact/signals'
import { asRefusal } from '../api/refusal.ts'
import { refusalText } from '../parts/states.tsx'
import { words } from '../words/words.ts'

/** Undoes what was done. False where something came after it. */
type Undo = () => Promise<boolean>

type Toast = { id: number; text: string; isBad: boolean; undo: Undo | undefined }

const SHOWN_MILLISECONDS = 8_000
const UNDO_MILLISECONDS = 20_000

const toasts = signal<readonly Toast[]>([])
let lastId = 0

const drop = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Says at the edge of the page what was done, with a button that undoes it where that is possible. */
export function say(text: string, { undo, isBad = false }: { undo?: Undo; isBad?: boolean } = {}): void {
  const id = ++lastId
  toasts.value = [...toasts.value, { id, text, isBad, undo }]
  setTimeout(() => drop(id), undo ? UNDO_MILLISECONDS : SHOWN_MILLISECONDS)
}

/** Says why something was not done. */
export const sayRefused = (thrown: unknown): void => say(refusalText(asRefusal(thrown)), { isBad: true })

async function runUndo({ id, undo }: Toast): Promise<void> {
  drop(id)
  try {
    if (await undo?.()) say(words.common.undone)
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
        {toast.undo && (
          <button type="button" class="plain" onClick={() => runUndo(toast)}>
            {words.common.undo}
          </button>
        )}
      </div>
    ))}
  </div>
)
