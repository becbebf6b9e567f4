import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { asRefusal, type Refusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { Failed } from '../parts/states.tsx'
import { linkToSubject } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'
import { type Command, commandsHere, fits, pageCommands, recentCommands } from './commands.ts'
import { Dialog } from './dialog.tsx'
import { go, linkTo } from './router.ts'

/** Whether the reader is searching now. */
export const isSearching = signal(false)

/** A reader who has not typed for this time has stopped typing, and the text is searched. */
const PAUSE_MILLISECONDS = 200

const close = () => {
  isSearching.value = false
}

/** Closes this dialog and runs a command once it is gone, since a command may move the focus on the page. */
function choose({ run }: Command): void {
  close()
  setTimeout(run)
}

/** Finds anything by words, id, address, number or reference, and does what the page can do; Enter takes the first. */
export function SearchDialog() {
  const [q, setQ] = useState('')
  const [here] = useState(commandsHere)
  const list = useRef<HTMLDivElement>(null)
  const typed = q.trim()
  const { found, failure } = useFound(typed)
  const groups = [
    { title: words.bar.here, commands: here.filter((one) => fits(one, typed)) },
    { title: words.bar.recent, commands: recentCommands().filter((one) => fits(one, typed)) },
    { title: words.bar.pages, commands: pageCommands().filter((one) => fits(one, typed)) },
    { title: words.bar.found, commands: found ?? [] },
  ].filter(({ commands }) => commands.length > 0)
  const [first] = groups.flatMap(({ commands }) => commands)
  return (
    <Dialog title={words.common.search} close={close} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (first) choose(first)
        }}
      >
        <input
          type="search"
          autofocus
          value={q}
          maxLength={200}
          placeholder={words.common.searchHint}
          aria-label={words.common.searchHint}
          onInput={({ currentTarget }) => setQ(currentTarget.value)}
          onKeyDown={(event) => {
            // By itself, the browser would only empty the field.
            if (event.key === 'Escape') close()
            // The first result is marked already: Enter takes it, and the arrow leads to the second.
            else step(list.current, event, { from: 0 })
          }}
        />
      </form>
      {failure && <Failed failure={failure} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among its own buttons */}
      <div
        class="found"
        ref={list}
        onKeyDown={(event) => {
          step(list.current, event)
          if (!isTyped(event)) return
          // A letter typed among the results goes into the field.
          event.preventDefault()
          setQ(q + event.key)
          focusField(list.current)
        }}
      >
        {groups.map(({ title, commands }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            {commands.map((command) => (
              <button
                key={command.key}
                type="button"
                class={command === first ? 'plain first' : 'plain'}
                onClick={() => choose(command)}
              >
                <bdi>{command.title}</bdi> {command.keys && <kbd>{command.keys}</kbd>}
                {command.kind && <small>{command.kind}</small>}
              </button>
            ))}
          </section>
        ))}
      </div>
      {typed !== '' && found?.length === 0 && groups.length === 0 && (
        <p class="empty" role="status">
          {words.common.noResult}
        </p>
      )}
    </Dialog>
  )
}

/**
 * Moves the focus by the arrow keys: from the field, or from one result to another. The field stands for the first result
 * (index 0), so the arrow up from the second result leads back to it.
 */
function step(list: HTMLElement | null, event: KeyboardEvent, { from }: { from?: number } = {}): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const at = from ?? buttons.indexOf(document.activeElement as HTMLButtonElement)
  const next = buttons[Math.min(buttons.length - 1, at + by)]
  if (next && at + by > 0) next.focus()
  else focusField(list)
}

const focusField = (list: HTMLElement | null): void => list?.parentElement?.querySelector('input')?.focus()

/** Whether a key types a character. The space bar does not: it presses the focused button. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

type Answer = { found: Command[] | undefined; failure: Refusal | undefined }
const NO_ANSWER: Answer = { found: undefined, failure: undefined }

/** Returns the results for a text, once the reader has stopped typing; until then those for the text before. */
function useFound(q: string): Answer {
  const [answer, setAnswer] = useState<Answer>(NO_ANSWER)
  useEffect(() => {
    if (q === '') return
    let isOver = false
    const timer = setTimeout(
      () =>
        find(q).then(
          (found) => isOver || setAnswer({ ...NO_ANSWER, found }),
          (thrown: unknown) => isOver || setAnswer({ ...NO_ANSWER, failure: asRefusal(thrown) }),
        ),
      PAUSE_MILLISECONDS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [q])
  return q === '' ? NO_ANSWER : answer
}

async function find(q: string): Promise<Command[]> {
  const { items } = await read(api.GET('/admin/search', { params: { query: { q } } }))
  return items.map((hit) => ({
    key: hit.id,
    title: titleOf(hit),
    kind: words.kinds[hit.type],
    run: () => go(linkToSubject(hit.id) ?? linkTo('journal', undefined, { subject: hit.id })),
  }))
}

const WORDS: Readonly<Record<string, string>> = {
  ...codes.paymentStatus,
  ...codes.payoutStatus,
  ...codes.callbackStatus,
  ...codes.purpose,
}

/** Returns a title in the reader's words. People name users, listings and enquiries; other titles hold the API's codes. */
function titleOf({ type, title }: Schema<'Found'>): string {
  if (type === 'user' || type === 'listing' || type === 'enquiry') return title
  const parts = title.split(', ')
  return parts.map((part) => WORDS[part] ?? part).join(', ')
}
