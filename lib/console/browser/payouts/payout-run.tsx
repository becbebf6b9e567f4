import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { linkTo } from '../app/router.ts'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { currencies, minorUnits, money } from '../parts/format.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { words } from '../words/words.ts'

type Draft = { currency: Schema<'Currency'> | ''; minimum: string }

const SUBJECT = 'payout run'

type Props = { done: () => void }

/** Pays out every agent whose available balance in a currency reaches a minimum. */
export const PayoutRun = (props: Props) => (
  <UnlessDecisionUnsent subjects={[SUBJECT]}>
    <OpenForm {...props} />
  </UnlessDecisionUnsent>
)

function OpenForm({ done }: Props) {
  const [draft, setDraft] = useDraft<Draft>(SUBJECT, { currency: '', minimum: '' })
  const sending = useSending()
  const { currency } = draft
  const minimum = currency === '' ? undefined : minorUnits(draft.minimum, currency)
  const run = () =>
    sending.send(async () => {
      if (currency === '' || minimum === undefined) return
      // Throws where the sign-in is too old, which the form shows.
      sendUnlessUndone({
        subject: SUBJECT,
        text: `${words.payouts.payEveryone}: ${words.payouts.fromMinimum(money(minimum, currency))}`,
        link: linkTo('payouts'),
        change: {
          method: 'POST',
          path: '/admin/payouts/run',
          body: { currency, minimum } satisfies Schema<'RunPayoutsBody'>,
        },
        draft: SUBJECT,
        staleKeys: ['payouts', 'agent account'],
        needsRecentSignIn: true,
      })
      done()
    })
  return (
    <form
      class="panel"
      aria-label={words.payouts.payEveryone}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <p class="quiet">{words.payouts.payEveryoneHint}</p>
      <div class="pair">
        <Select<Schema<'Currency'> | ''>
          label={words.payouts.currency}
          value={currency}
          options={[['', '–'], ...currencies.value.map((code) => [code, code] as const)]}
          set={(chosen) => setDraft({ ...draft, currency: chosen })}
          isRequired
        />
        <Input
          label={words.payouts.minimum}
          value={draft.minimum}
          set={(typed) => setDraft({ ...draft, minimum: typed })}
          isRequired
        />
      </div>
      <SendingFailed of={sending} subject={SUBJECT} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={sending.isBusy || minimum === undefined}>
          {words.payouts.payEveryone}
        </button>
      </div>
    </form>
  )
}
