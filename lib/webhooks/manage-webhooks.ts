import type * as z from 'zod'
import { type ActionName, type Journal, newAction } from '#lib/journal/journal'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { NewId, WebhookId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import { newSecret } from './sign-message.ts'
import { faultOfUrl, type Webhook, type WebhookInput, type WebhookPatch, withSecret } from './webhook.ts'
import type { WebhookReader, WebhookStore } from './webhook-store.ts'

type JournalDeps = { journal: Journal; newId: NewId }

/** The dependencies of a change of the address. `allowsLoopback` is true on the local stack only. */
type UrlDeps = { allowsLoopback: boolean }

type WithSecret = Webhook & { secret: string }

type ReplaceDeps = { webhooks: WebhookStore }

/**
 * Registers an ACTIVE webhook, and returns it with its secret, which is never shown again. Throws `validation_failed`
 * for an address that may not be called, and `webhook_limit_reached` beyond twenty webhooks.
 */
export async function registerWebhook(
  deps: JournalDeps &
    UrlDeps & {
      now: Clock
      webhooks: WebhookStore
      once: Once<WithSecret>
    },
  administrator: string,
  input: z.output<typeof WebhookInput>,
) {
  refuseUrl(deps, input.url)
  const at = timestamp(deps.now())
  const secret = newSecret()
  const webhook: Webhook = {
    id: deps.newId('webhook'),
    url: input.url,
    types: input.types,
    description: input.description ?? null,
    status: 'ACTIVE',
    disabledReason: null,
    failingSince: null,
    createdAt: at,
    secrets: [{ secret, endsAt: null }],
    activeSince: at,
    version: 1,
  }
  const journalEntry = entry(deps, administrator, webhook.id, 'webhook.created')
  const answer = { ...webhook, secret }
  await deps.webhooks.commit([...deps.webhooks.insert(webhook), journalEntry, ...deps.once.receipt(answer)])
  return answer
}

/** Returns a webhook. Throws `not_found`. */
export async function getWebhook({ webhooks }: { webhooks: WebhookReader }, id: WebhookId): Promise<Webhook> {
  const webhook = await webhooks.get(id)
  if (!webhook) throw new DomainError('not_found')
  return webhook
}

/** Changes a webhook. Messages that were due before a webhook becomes ACTIVE are not sent. */
export async function changeWebhook(
  deps: JournalDeps & UrlDeps & ReplaceDeps & { now: Clock; once: Once<Webhook> },
  administrator: string,
  id: WebhookId,
  patch: z.output<typeof WebhookPatch>,
) {
  if (patch.url !== undefined) refuseUrl(deps, patch.url)
  const journalEntry = entry(deps, administrator, id, 'webhook.changed', { fields: Object.keys(patch) })
  const change = (webhook: Webhook) => ({
    ...webhook,
    url: patch.url ?? webhook.url,
    types: patch.types ?? webhook.types,
    description: patch.description === undefined ? webhook.description : patch.description,
    ...statusChange(webhook, patch.status, deps.now()),
    version: webhook.version + 1,
  })
  return replaceWebhook(deps, id, journalEntry, change, (webhook) => webhook)
}

/** Makes a new secret; the old one also signs for 24 hours. The secret is shown this once. */
export async function rotateSecret(
  deps: JournalDeps & ReplaceDeps & { now: Clock; once: Once<WithSecret> },
  administrator: string,
  id: WebhookId,
) {
  const secret = newSecret()
  const journalEntry = entry(deps, administrator, id, 'webhook.secret_rotated')
  const change = (webhook: Webhook) => withSecret(webhook, secret, deps.now())
  return replaceWebhook(deps, id, journalEntry, change, (webhook) => ({ ...webhook, secret }))
}

/** Removes a webhook. Its due messages are never sent. Throws `not_found`. */
export function deleteWebhook(
  deps: JournalDeps & { webhooks: WebhookStore; once: Once<undefined> },
  administrator: string,
  id: WebhookId,
): Promise<void> {
  const journalEntry = entry(deps, administrator, id, 'webhook.deleted')
  return retryConflicts(async () =>
    deps.webhooks.commit([
      ...deps.webhooks.remove(await getWebhook(deps, id)),
      journalEntry,
      ...deps.once.receipt(undefined),
    ]),
  )
}

/** Returns the journal's entry of a change: names of fields, never an address or a secret. */
const entry = (
  { journal, newId }: JournalDeps,
  by: string,
  subject: WebhookId,
  action: z.infer<typeof ActionName>,
  details: { fields?: string[] } = {},
): Write => journal.record(newAction(newId, { by, subject, action, details }))

const replaceWebhook = <Answer>(
  deps: ReplaceDeps & { once: Once<Answer> },
  id: WebhookId,
  journalEntry: Write,
  change: (webhook: Webhook) => Webhook,
  answerOf: (webhook: Webhook) => Answer,
): Promise<Answer> =>
  retryConflicts(async () => {
    const webhook = await getWebhook(deps, id)
    const next = change(webhook)
    const answer = answerOf(next)
    await deps.webhooks.commit([
      deps.webhooks.replace(webhook, next),
      journalEntry,
      ...deps.once.receipt(answer),
    ])
    return answer
  })

function statusChange(webhook: Webhook, status: Webhook['status'] | undefined, now: Date): Partial<Webhook> {
  if (status === undefined || status === webhook.status) return {}
  if (status === 'DISABLED') return { status, disabledReason: 'by_administrator' }
  return { status, disabledReason: null, failingSince: null, activeSince: timestamp(now) }
}

function refuseUrl({ allowsLoopback }: UrlDeps, url: string): void {
  const fault = faultOfUrl(url, { allowsLoopback })
  if (fault !== undefined) throw invalidField('url', fault)
}
