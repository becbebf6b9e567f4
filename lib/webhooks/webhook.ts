import { isIP } from 'node:net'
import * as z from 'zod'
import { WebhookEventType } from '#lib/events/event-types'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { WebhookId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'
import { webAddress } from '#lib/kernel/web-address'
import type { DeliveryQueue } from './delivery.ts'
import { isReachable } from './reachable-address.ts'

/** The largest number of webhooks. */
export const WEBHOOKS_MAX = 20

/** The time for which an old secret also signs. */
const ROTATION_SECONDS = DAY_SECONDS

/** The form of an address for events. `faultOfUrl` decides which addresses are allowed. */
const Url = webAddress({ max: 2000 })

/** The settings of a webhook that an administrator chooses. */
export const WebhookInput = z.object({
  url: Url.meta({ example: 'https://receiver.example.com/hooks' }),
  types: z
    .array(WebhookEventType)
    .min(1)
    .max(WebhookEventType.options.length)
    .transform((types) => [...new Set(types)])
    .meta({ description: 'Events that the endpoint is sent', example: ['payment.status_changed'] }),
  description: text({ max: 300 }).nullish(),
})

const WebhookStatus = z.enum(['ACTIVE', 'DISABLED']).meta({ id: 'WebhookStatus' })

/** Changes to a webhook: an absent field stays. Messages due before a change to ACTIVE are not sent. */
export const WebhookPatch = z
  .object({
    url: WebhookInput.shape.url.optional(),
    types: WebhookInput.shape.types.optional(),
    description: WebhookInput.shape.description,
    status: WebhookStatus.optional(),
  })
  .meta({ example: { types: ['payment.status_changed'] } })

/** Why a webhook is switched off. */
const DisabledReason = z.enum(['by_administrator', 'failing_for_five_days'])

const Facts = z.object({
  id: WebhookId,
  url: z.string().meta({ example: 'https://receiver.example.com/hooks' }),
  types: z.array(z.string()).meta({ example: ['payment.status_changed'] }),
  description: z.string().nullable(),
  status: WebhookStatus,
  disabledReason: DisabledReason.nullable(),
  /** The time of the first failed attempt since the last success; null after a success. */
  failingSince: Timestamp.nullable(),
  createdAt: Timestamp,
})

/** A webhook as it is stored. Each of `secrets` signs; the newest comes first. */
export const Webhook = Facts.extend({
  secrets: z.array(z.object({ secret: z.string(), endsAt: Timestamp.nullable() })),
  /** Messages that were due before this moment are not sent. */
  activeSince: Timestamp,
  /** Rises with every change. */
  version: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** A webhook as administrators see it. */
export const WebhookView = Facts.meta({ id: 'Webhook' })

/** A webhook with the secret that was just made; it is shown this once. */
export const WebhookWithSecret = Facts.extend({ secret: z.string().meta({ example: 'whsec_…' }) }).meta({
  id: 'WebhookWithSecret',
})

/** Returns the queue for deliveries to a webhook, by whether its last attempt failed. */
export const queueOf = ({ failingSince }: Pick<Webhook, 'failingSince'>): DeliveryQueue =>
  failingSince === null ? 'sending' : 'retrying'

/** Returns the secrets that sign a message sent now. */
export const liveSecrets = ({ secrets }: Webhook, now: Date): string[] =>
  secrets.filter(({ endsAt }) => endsAt === null || endsAt > timestamp(now)).map(({ secret }) => secret)

/** Returns the webhook with a new secret. The previous one signs for 24 hours more; an older one ends at once. */
export const withSecret = (webhook: Webhook, secret: string, now: Date): Webhook => {
  const [newest] = webhook.secrets
  const endsAt = timestamp(secondsAfter(now, ROTATION_SECONDS))
  const secrets = [{ secret, endsAt: null }, ...(newest ? [{ ...newest, endsAt }] : [])]
  return { ...webhook, secrets, version: webhook.version + 1 }
}

/**
 * Returns the fault of an address for webhooks; undefined without a fault. An address is https with a name or a public
 * IP address, or, where `allowsLoopback` (on the local stack), http with a loopback address.
 */
export function faultOfUrl(url: string, { allowsLoopback }: { allowsLoopback: boolean }): string | undefined {
  const { protocol, hostname } = new URL(url)
  // Without the brackets of an IPv6 address, and without the last dot of a name.
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const isLoopback =
    /(^|\.)localhost$/.test(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  if (allowsLoopback && isLoopback && protocol === 'http:') return undefined
  if (protocol !== 'https:') return 'must begin with https://'
  if (isLoopback || (isIP(host) !== 0 && !isReachable(host))) return 'must be reachable from everywhere'
  return undefined
}
