import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { type Difference, Differences } from '../parts/differences.tsx'
import { SendingFailed, useSending } from '../parts/form.tsx'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, Section, Status, SubjectLink, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { CallbackResolution } from './callback-resolution.tsx'
import { readCallback } from './read-callback.ts'

type Change = NonNullable<Schema<'CallbackReplay'>['wouldChange']>

/** One callback: what it is, what a replay would change, and what can be done with it. */
export function CallbackPage({ id }: { id: string }) {
  const loaded = useLoad(`callback ${id}`, () => readCallback(id))
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('callbacks', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('callbacks')}>{words.nav.callbacks}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={loaded}>
        {({ callback, wouldChange }) => (
          <>
            <header class="page-header">
              <h1 dir="auto">{callback.type}</h1>
              <Status tone={toneOf(callback.status)}>{codes.callbackStatus[callback.status]}</Status>
            </header>
            <div class="split">
              <div>
                <Section title={words.nav.callbacks}>
                  <CallbackFacts of={callback} />
                </Section>
                <Replay callback={callback} wouldChange={wouldChange} reload={loaded.reload} />
              </div>
              <CallbackResolution callback={callback} reload={loaded.reload} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

const CallbackFacts = ({ of }: { of: Schema<'Callback'> }) => (
  <Facts
    items={[
      [words.callbacks.detail, of.detail],
      [words.payments.provider, of.provider],
      [words.callbacks.event, <Id key="event">{of.eventId}</Id>],
      [words.payments.payment, of.paymentId && <SubjectLink key="payment" id={of.paymentId} />],
      [words.callbacks.received, <Time key="at" at={of.receivedAt} />],
      ['Id', <Id key="id">{of.id}</Id>],
    ]}
  />
)

type ReplayProps = {
  callback: Schema<'Callback'>
  wouldChange: Schema<'CallbackReplay'>['wouldChange']
  reload: () => Promise<void>
}

/** Shows what processing the callback again would change, before it is done. */
function Replay({ callback, wouldChange, reload }: ReplayProps) {
  const sending = useSending()
  const differences = differencesOf(wouldChange)
  const replay = () =>
    sending.send(async () => {
      await read(
        api.POST('/admin/payments/callbacks/{id}/replay', {
          params: { path: { id: callback.id } },
          body: { dryRun: false },
        }),
      )
      say(words.callbacks.replayed)
      await reload()
    })
  return (
    <Section title={words.callbacks.dryRun}>
      {differences.length === 0 ? (
        <p class="empty">{words.callbacks.nothing}</p>
      ) : (
        <>
          <Differences of={differences} label={words.callbacks.dryRun} />
          <div class="buttons">
            <button type="button" class="primary" disabled={sending.isBusy} onClick={replay}>
              {words.callbacks.doReplay}
            </button>
          </div>
        </>
      )}
      <SendingFailed of={sending} />
    </Section>
  )
}

const FIELDS = Object.keys(words.callbacks.fields) as (keyof typeof words.callbacks.fields)[]

const differencesOf = (change: Change | null): Difference[] =>
  FIELDS.flatMap((field) => {
    const difference = change?.[field]
    const text = (value: string | number) =>
      typeof value === 'string' ? (STATUS[value] ?? value) : `${value}`
    return difference == null
      ? []
      : [{ field: words.callbacks.fields[field], before: text(difference.from), after: text(difference.to) }]
  })

const STATUS: Readonly<Record<string, string>> = codes.paymentStatus
