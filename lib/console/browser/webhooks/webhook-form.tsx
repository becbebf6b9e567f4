import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { Chips, Input, SendingFailed, useSending } from '../parts/form.tsx'
import { words } from '../words/words.ts'

type Type = Schema<'CreateWebhookBody'>['types'][number]
type Draft = { url: string; types: Type[]; description: string }

type Props = {
  draftKey: string
  /** The stored webhook, if it exists. */
  saved?: Schema<'Webhook'>
  send: (body: { url: string; types: Type[]; description: string | null }) => Promise<void>
}

/** Every event that a webhook can receive. A new type of the OpenAPI document does not compile until it is listed here. */
const TYPES: Record<Type, true> = {
  'user.registered': true,
  'user.email_changed': true,
  'user.password_changed': true,
  'user.signed_in_elsewhere': true,
  'user.banned': true,
  'user.deleted': true,
  'session.reused': true,
  'kyc.status_changed': true,
  'kyc.expiring': true,
  'listing.status_changed': true,
  'listing.updated': true,
  'listing.price_changed': true,
  'listing.availability_changed': true,
  'listing.reported': true,
  'revision.submitted': true,
  'revision.decided': true,
  'media.ready': true,
  'enquiry.created': true,
  'enquiry.replied': true,
  'enquiry.visit_changed': true,
  'enquiry.reported': true,
  'reports.closed': true,
  'payment_request.created': true,
  'payment_request.paid': true,
  'payment_request.closed': true,
  'payment.status_changed': true,
  'payment.refund_started': true,
  'payment.refunded': true,
  'payment.refund_failed': true,
  'payment.disputed': true,
  'payment.overcharged': true,
  'payout.status_changed': true,
  'user.api_key_changed': true,
  'user.payout_account_changed': true,
  'user.second_factor_changed': true,
  'user.second_factor_refused': true,
}

const OPTIONS = (Object.keys(TYPES) as Type[]).map((type) => [type, type] as const)

const isType = (type: string): type is Type => type in TYPES

/** The form of a webhook: its address, its description and the types of events that it receives. */
export function WebhookForm({ draftKey, saved, send }: Props) {
  const [draft, setDraft, clear] = useDraft<Draft>(draftKey, {
    url: saved?.url ?? '',
    types: saved?.types.filter(isType) ?? [],
    description: saved?.description ?? '',
  })
  const sending = useSending()
  const { url, types, description } = draft
  return (
    <form
      class="panel"
      aria-label={saved ? words.webhooks.save : words.webhooks.create}
      onSubmit={(event) => {
        event.preventDefault()
        sending.send(async () => {
          await send({ url: url.trim(), types, description: description.trim() || null })
          // A change is sent some seconds later: its draft is kept until it has arrived.
          if (saved === undefined) clear()
        })
      }}
    >
      <Input
        label={words.webhooks.url}
        type="url"
        value={url}
        set={(typed) => setDraft({ ...draft, url: typed })}
        isRequired
      />
      <Input
        label={words.webhooks.description}
        value={description}
        set={(typed) => setDraft({ ...draft, description: typed })}
      />
      <Chips
        label={words.webhooks.types}
        options={OPTIONS}
        chosen={types}
        set={(chosen) => setDraft({ ...draft, types: chosen })}
      />
      {types.length === 0 && <p class="quiet">{words.webhooks.choose}</p>}
      <SendingFailed of={sending} {...(saved && { subject: saved.id })} />
      <div class="buttons">
        <button
          type="submit"
          class="primary"
          disabled={sending.isBusy || types.length === 0 || url.trim() === ''}
        >
          {saved ? words.webhooks.save : words.webhooks.create}
        </button>
      </div>
    </form>
  )
}
