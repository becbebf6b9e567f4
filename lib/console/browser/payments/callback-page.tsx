import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { heldOn, sendUnlessUndone } from '../app/held.ts'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { type Difference, Differences } from '../parts/differences.tsx'
import { inMoney, money } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, Section, Status, SubjectLink, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { ToForm } from '../parts/to-form.tsx'
import { toneOf } from '../parts/tones.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { CallbackFacts } from './callback-facts.tsx'
import { CallbackResolution, hasResolution } from './callback-resolution.tsx'

type Callback = Schema<'CallbackInFull'>
type Change = NonNullable<Schema<'CallbackReplay'>['wouldChange']>

/** One callback: its contents, the changes of a replay, and the actions on it. */
export function CallbackPage({ id }: { id: string }) {
  const loaded = useLoad(`callback ${id}`, () =>
    read(api.GET('/admin/payments/callbacks/{id}', { params: { path: { id } } })),
  )
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('callbacks', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('callbacks')}>{words.nav.callbacks}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={loaded}>
        {(callback) => (
          <>
            <header class="page-header">
              <Title>{callback.type}</Title>
              <Status tone={toneOf(callback.status)}>{codes.callbackStatus[callback.status]}</Status>
              {mayDo('payments') && hasResolution(callback) && <ToForm>{words.payments.resolve}</ToForm>}
            </header>
            <div class="split">
              <div>
                <Section title={words.nav.callbacks}>
                  <Arrival of={callback} />
                </Section>
                <CallbackFacts of={callback.facts} />
                {mayDo('payments') && <Replay callback={callback} />}
              </div>
              {mayDo('payments') && (
                <UnlessDecisionUnsent subjects={[id]}>
                  <CallbackResolution of={callback} />
                </UnlessDecisionUnsent>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

const Arrival = ({ of }: { of: Callback }) => (
  <Facts
    items={[
      [words.callbacks.detail, of.detail && inMoney(of.detail)],
      [
        words.callbacks.sum,
        of.amount !== null && of.currency !== null ? money(of.amount, of.currency) : null,
      ],
      [words.callbacks.reference, of.reference && <Id key="reference">{of.reference}</Id>],
      [words.payments.provider, of.provider],
      [words.callbacks.event, <Id key="event">{of.eventId}</Id>],
      [words.payments.payment, of.paymentId && <SubjectLink key="payment" id={of.paymentId} />],
      [words.callbacks.received, <Time key="at" at={of.receivedAt} />],
      ['Id', <Id key="id">{of.id}</Id>],
    ]}
  />
)

/** Reads what processing a callback again would change, and the currency of the payment, which the callback may not say. */
async function previewOf(id: string): Promise<{ wouldChange: Change | null; currency: string | null }> {
  const { wouldChange, callback } = await read(
    api.POST('/admin/payments/callbacks/{id}/replay', { params: { path: { id } }, body: { dryRun: true } }),
  )
  if (wouldChange === null || callback.paymentId === null) return { wouldChange, currency: null }
  const params = { path: { id: callback.paymentId } }
  const { currency } = await read(api.GET('/admin/payments/{id}', { params }))
  return { wouldChange, currency }
}

/** Shows what processing the callback again would change, before it is done. */
function Replay({ callback }: { callback: Callback }) {
  const { id, type, status } = callback
  const previewKey = `replay ${id}`
  const preview = useLoad(`${previewKey} ${status}`, () => previewOf(id))
  const replay = () =>
    sendUnlessUndone({
      subject: id,
      text: `${type}: ${words.callbacks.doReplay}`,
      link: linkTo('callbacks', id),
      change: {
        method: 'POST',
        path: `/admin/payments/callbacks/${id}/replay`,
        body: { dryRun: false },
      },
      staleKeys: [`callback ${id}`, previewKey, 'callbacks', 'payment', 'payments'],
    })
  return (
    <Section title={words.callbacks.dryRun}>
      <Loaded of={preview}>
        {({ wouldChange, currency }) =>
          wouldChange === null ? (
            <p class="empty">{words.callbacks.nothing}</p>
          ) : (
            <>
              <Differences of={differencesOf(wouldChange, currency)} label={words.callbacks.dryRun} />
              <div class="buttons">
                <button type="button" class="primary" disabled={heldOn([id]) !== undefined} onClick={replay}>
                  {words.callbacks.doReplay}
                </button>
              </div>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

const FIELDS = Object.keys(words.callbacks.fields) as (keyof typeof words.callbacks.fields)[]

const differencesOf = (change: Change, currency: string | null): Difference[] =>
  FIELDS.flatMap((field) => {
    const difference = change[field]
    if (difference == null) return []
    const text = (value: string | number) => {
      if (typeof value === 'string') return STATUS[value] ?? value
      const isSum = field.startsWith('amount')
      return isSum && currency !== null ? money(value, currency) : `${value}`
    }
    return [
      { field: words.callbacks.fields[field], before: text(difference.from), after: text(difference.to) },
    ]
  })

const STATUS: Readonly<Record<string, string>> = codes.paymentStatus
