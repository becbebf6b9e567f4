import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { always, useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { Loaded } from '../parts/states.tsx'
import { Section, Status, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { Deliveries } from './deliveries.tsx'
import { SecretShown } from './secret-shown.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** One webhook: whether it works, what was delivered, and changing it. */
export function WebhookPage({ id }: { id: string }) {
  const params = { path: { id } }
  const webhook = useLoad<Schema<'Webhook'>>(
    `webhook ${id}`,
    () => read(api.GET('/admin/webhooks/{id}', { params })),
    always,
  )
  return (
    <>
      <nav class="trail">
        <a href={linkTo('webhooks')}>{words.nav.webhooks}</a>
      </nav>
      <Loaded of={webhook}>
        {(value) => (
          <>
            <header class="page-header">
              <Title>{value.url}</Title>
              <Status tone={toneOf(value.status)}>{codes.webhookStatus[value.status]}</Status>
              {value.disabledReason !== null && (
                <span class="quiet">{words.webhooks.reasons[value.disabledReason]}</span>
              )}
            </header>
            {value.failingSince !== null && (
              <p class="notice warn">
                {words.webhooks.failingSince('')}
                <Time at={value.failingSince} />
              </p>
            )}
            <SecretShown />
            {mayDo('integrations') && <WebhookActions webhook={value} reload={webhook.reload} />}
            <Section title={words.webhooks.deliveries}>
              <Deliveries webhookId={id} />
            </Section>
            {mayDo('integrations') && (
              <Section title={words.webhooks.settings}>
                <WebhookForm
                  key={`${value.url} ${value.types} ${value.description}`}
                  draftKey={`webhook ${id}`}
                  saved={value}
                  send={async (body) => {
                    await read(api.PATCH('/admin/webhooks/{id}', { params, body }))
                    say(words.webhooks.saved)
                    await webhook.reload()
                  }}
                />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
