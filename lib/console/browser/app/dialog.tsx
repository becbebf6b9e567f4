import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words/words.ts'

type DialogProps = { title: string; close: () => void; isWide?: boolean; children: ComponentChildren }

/** A window over the page that keeps the focus until it is closed, by Escape too. */
export function Dialog({ title, close, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // A layout effect opens the window before the next key is typed, so that this key goes into it.
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class={isWide ? 'wide' : ''} aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" onClick={() => element.current?.close()}>
          {words.common.close} <kbd>Esc</kbd>
        </button>
      </header>
      {children}
    </dialog>
  )
}

type Question = { title: string; text: string; confirm: string; answer: (isConfirmed: boolean) => void }

const openQuestion = signal<Question | undefined>(undefined)

/** Asks before something that cannot be undone. Resolves whether the reader confirmed it. */
export const confirmed = (question: Omit<Question, 'answer'>): Promise<boolean> =>
  new Promise((resolve) => {
    openQuestion.value = { ...question, answer: resolve }
  })

/** The question that waits for an answer, if there is one. */
export function QuestionDialog() {
  const question = openQuestion.value
  if (question === undefined) return null
  const answer = (isConfirmed: boolean) => {
    openQuestion.value = undefined
    question.answer(isConfirmed)
  }
  return (
    <Dialog title={question.title} close={() => answer(false)}>
      <p>{question.text}</p>
      <div class="buttons">
        <button type="button" onClick={() => answer(false)}>
          {words.common.cancel}
        </button>
        <button type="button" class="danger" onClick={() => answer(true)}>
          {question.confirm}
        </button>
      </div>
    </Dialog>
  )
}
