import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { pollAlways, useLoad } from '../api/use-load.ts'
import { heldOn, sendUnlessUndone } from '../app/held.ts'
import { linkTo } from '../app/router.ts'
import { Loaded } from '../parts/states.tsx'
import { Section, Status, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
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
    pollAlways,
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
                {words.webhooks.failingSince} <Time at={value.failingSince} />
              </p>
            )}
            <SecretShown />
            {mayDo('integrations') && (
              <UnlessDecisionUnsent subjects={[id]}>
                <WebhookActions webhook={value} />
              </UnlessDecisionUnsent>
            )}
            <Section title={words.webhooks.deliveries}>
              <Deliveries webhookId={id} />
            </Section>
            {/* The notice of the unsent decision, shown in place of the actions, stands for the settings too. */}
            {mayDo('integrations') && heldOn([id]) === undefined && (
              <Section title={words.webhooks.settings}>
                <Settings of={value} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function Settings({ of: webhook }: { of: Schema<'Webhook'> }) {
  const { id, url } = webhook
  const draft = `webhook ${id}`
  const save = async (body: Schema<'ChangeWebhookBody'>) =>
    sendUnlessUndone({
      subject: id,
      text: `${url}: ${words.webhooks.saved}`,
      link: linkTo('webhooks', id),
      change: { path: `/admin/webhooks/${id}`, body },
      draft,
      staleKeys: [`webhook ${id}`, 'webhooks'],
      needsRecentSignIn: true,
    })
  return <WebhookForm key={versionOf(webhook)} draftKey={draft} saved={webhook} send={save} />
}

/** Returns the fields of a webhook that administrators change, as one text by which two versions are compared. */
const versionOf = ({ url, types, description, status }: Schema<'Webhook'>): string =>
  JSON.stringify([url, types, description, status])
