import { computed, signal } from '@preact/signals'

/** Something that the reader had open. */
type Recent = { page: string; id: string; title: string }

const STORAGE_KEY = 'recent'
const KEPT_MAX = 8

const opened = signal<readonly Recent[]>(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'))

/** The pages opened in this tab since the sign-in, the last first. */
export const recent = computed(() => opened.value)

/** Remembers that something was opened. */
export function rememberOpened({ page, id, title }: Recent): void {
  const others = opened.peek().filter((one) => one.page !== page || one.id !== id)
  opened.value = [{ page, id, title }, ...others].slice(0, KEPT_MAX)
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(opened.value))
}
