import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Something that a key does; two keys such as `g i` are pressed after each other. */
type KeyAction = { keys: string; does: string; run: () => void }

/** Every action that a key reaches now, those of the newest component last. */
export const keyActions = signal<readonly KeyAction[]>([])

/** Lets keys do something while a component is shown. */
export function useKeys(actions: readonly KeyAction[]): void {
  const latest = useRef(actions)
  latest.current = actions
  // Registers again only when a key or its text changes; `latest` runs the newest functions.
  const spelled = actions.map(({ keys, does }) => `${keys} ${does}`).join()
  // Before the next paint: a key that is shown is a key that works.
  useLayoutEffect(() => {
    const own = actions.map((action, index) => ({ ...action, run: () => latest.current[index]?.run() }))
    keyActions.value = [...keyActions.peek(), ...own]
    return () => {
      keyActions.value = keyActions.peek().filter((action) => !own.includes(action))
    }
  }, [spelled])
}

/** Puts the focus on the button of a key: Enter then presses it, so that no stray key decides anything. */
export const focusButton = (key: string): void =>
  document.querySelector<HTMLButtonElement>(`button[data-key="${key}"]`)?.focus()

/** Puts the focus on the first of a form's elements, and selects the text of a field. */
export const focusForm = (name: string, elements = 'input, textarea, select, button'): void =>
  void requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>(
      `form[aria-label="${CSS.escape(name)}"] :is(${elements})`,
    )
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  })

const SECOND_KEY_MILLISECONDS = 1_200
let first: { key: string; at: number } | undefined

/** Runs the action of a pressed key, unless a dialog is open or the reader types. Escape leaves a field. */
export function pressKey(event: KeyboardEvent): void {
  const { key, timeStamp: at, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || key === 'Shift') return
  if (document.querySelector('dialog[open]') !== null) return
  const field = target instanceof HTMLElement && isField(target) ? target : undefined
  if (field && key === 'Escape') {
    field.blur()
    return
  }
  if (field && !isCheckbox(field)) return
  const pair = first && at - first.at < SECOND_KEY_MILLISECONDS ? `${first.key} ${key}` : undefined
  first = { key, at }
  const actionOf = (keys: string | undefined) => keyActions.peek().findLast((one) => one.keys === keys)
  const action = actionOf(pair) ?? actionOf(key)
  if (action === undefined) return
  first = undefined
  event.preventDefault()
  action.run()
}

const isField = ({ tagName }: HTMLElement): boolean => /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)

/** Whether a field is a checkbox. It takes no text, so keys act while it has the focus. */
const isCheckbox = (field: HTMLElement): boolean =>
  field instanceof HTMLInputElement && field.type === 'checkbox'
