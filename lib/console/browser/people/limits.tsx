import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { say } from '../app/toasts.tsx'
import { Input, SendingFailed, useSending } from '../parts/form.tsx'
import { words } from '../words/words.ts'

type Limits = Schema<'ListingLimits'>
type Props = { person: Schema<'UserInFull'>; reload: () => Promise<void> }

const NAMES = ['drafts', 'inReview', 'listings', 'files'] as const satisfies (keyof Limits)[]

const HIGHEST = 10_000

/** The limits of one agent. An empty field is what every agent may have. */
export function ListingLimits({ person: { id, listingLimits }, reload }: Props) {
  const [typed, setTyped] = useState<Readonly<Partial<Record<keyof Limits, string>>>>({})
  const sending = useSending()
  const shown = (name: keyof Limits) => typed[name] ?? String(listingLimits?.[name] ?? '')
  const save = () =>
    sending.send(async () => {
      const limits = Object.fromEntries(
        NAMES.filter((name) => shown(name) !== '').map((name) => [name, Number(shown(name))]),
      )
      await read(
        api.PATCH('/admin/users/{id}', { params: { path: { id } }, body: { listingLimits: limits } }),
      )
      setTyped({})
      await reload()
      say(words.people.limitsSaved)
    })
  return (
    <form
      class="decision"
      aria-label={words.people.limits}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h2>{words.people.limits}</h2>
      <p class="quiet">{words.people.limitsAsk}</p>
      {NAMES.map((name) => (
        <Input
          key={name}
          type="number"
          max={HIGHEST}
          label={words.people.limitNames[name]}
          value={shown(name)}
          set={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      <SendingFailed of={sending} />
      <div class="buttons">
        <button type="submit" disabled={sending.isBusy}>
          {words.people.saveLimits}
        </button>
      </div>
    </form>
  )
}
