import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { asRefusal, type Refusal } from '../api/refusal.ts'
import { Failed } from '../parts/states.tsx'
import { Id, linkToSubject } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { linkTo } from './router.ts'

/** Whether the reader is searching now. */
export const isSearching = signal(false)

type Found = { id: string; title: string; link: string }

/** An answer is waited for until the reader has stopped typing. */
const PAUSE_MILLISECONDS = 200

const close = () => {
  isSearching.value = false
}

/** Finds anything by its id, address, number, name or reference; Enter opens the first. */
export function SearchDialog() {
  const [q, setQ] = useState('')
  const { found, failure } = useFound(q.trim())
  return (
    <Dialog title={words.common.search} close={close} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found ?? []
          if (first) location.hash = first.link
          if (first) close()
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
            // The browser would only empty the field.
            if (event.key === 'Escape') close()
            if (event.key === 'ArrowDown') firstFound()?.focus()
          }}
        />
      </form>
      {failure && <Failed failure={failure} />}
      <ul class="found" aria-live="polite">
        {found?.map(({ id, title, link }) => (
          <li key={id}>
            <a href={link} onClick={close}>
              <b dir="auto">{title}</b> <Id>{id}</Id>
            </a>
          </li>
        ))}
        {found?.length === 0 && <li class="empty">{words.common.noResult}</li>}
      </ul>
    </Dialog>
  )
}

const firstFound = () => document.querySelector<HTMLElement>('.found a')

/** What is found for a text, once the reader has stopped typing it. */
function useFound(q: string): { found: Found[] | undefined; failure: Refusal | undefined } {
  const [answer, setAnswer] = useState<{ q: string; found?: Found[]; failure?: Refusal }>({ q: '' })
  useEffect(() => {
    if (q === '') return
    let isOver = false
    const timer = setTimeout(
      () =>
        find(q).then(
          (found) => isOver || setAnswer({ q, found }),
          (thrown: unknown) => isOver || setAnswer({ q, failure: asRefusal(thrown) }),
        ),
      PAUSE_MILLISECONDS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [q])
  return q === ''
    ? { found: undefined, failure: undefined }
    : { found: answer.found, failure: answer.failure }
}

async function find(q: string): Promise<Found[]> {
  const { items } = await read(api.GET('/admin/search', { params: { query: { q } } }))
  return items.map(({ id, title }) => ({
    id,
    title,
    link: linkToSubject(id) ?? linkTo('journal', undefined, { subject: id }),
  }))
}
