import * as z from 'zod'
import { hmac } from '#lib/kernel/signatures'
import * as events from '../kit/events.ts'
import {
  interpretStandardWebhook,
  isSignedStandardWebhook,
  STANDARD_WEBHOOKS_HEADERS,
  StandardWebhooksKeys,
  sharedKeyOf,
} from '../kit/standard-webhooks.ts'
import { defineProvider } from '../provider.ts'

const SIGNATURE = '{signature}'

const config = z
  .object({
    webhookSecrets: StandardWebhooksKeys,
    /** A template of the page's address: `{signature}` and the names of `SIGNED` in braces stand for their values. */
    checkoutUrl: z
      .string()
      .trim()
      .regex(/^https?:\/\//),
  })
  .refine(
    ({ checkoutUrl, webhookSecrets }) => !checkoutUrl.includes(SIGNATURE) || sharedKeyOf(webhookSecrets),
    {
      path: ['webhookSecrets'],
      message: 'has no whsec_ to sign checkoutUrl with',
    },
  )

/** The values that the signature of a checkout covers, in this order; `amount` is in minor units. */
const SIGNED = ['paymentId', 'amount', 'currency', 'returnUrl', 'expiresAt'] as const
type Checkout = Record<(typeof SIGNED)[number], string>

/** Returns the unpadded base64url HMAC-SHA256 of the five values, each followed by a line feed. */
export const checkoutSignature = (key: Buffer, checkout: Checkout): string =>
  hmac(
    'sha256',
    key,
    SIGNED.map((name) => `${checkout[name]}\n`),
    'base64url',
  )

/** Fills the names in braces with their values, each percent-encoded. */
const filled = (template: string, values: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (found, name) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name] ?? '') : found,
  )

/**
 * A payment gateway of the operator's own, signed as the Standard Webhooks specification asks. The payer is sent to an
 * address made from a template, and the gateway reports under the payment id that it finds there. It cannot be called:
 * refunds are made at the gateway, which reports them.
 */
export const provider = defineProvider({
  config,
  // The rule of the refinement again, for the check that does not load this file.
  needs: [
    { key: 'webhookSecrets', startingWith: 'whsec_', where: { key: 'checkoutUrl', includes: SIGNATURE } },
  ],
  open: ({ webhookSecrets, checkoutUrl }, { now }) => ({
    currencies: 'any',
    countries: 'any',
    callbackMethods: ['POST'],
    storedHeaders: STANDARD_WEBHOOKS_HEADERS,
    acknowledgement: events.ACKNOWLEDGED,
    verify: (request) => (isSignedStandardWebhook(request, webhookSecrets, now()) ? 'signed' : 'forged'),
    interpret: (request) => [interpretStandardWebhook(request)],
    start: async ({ id, amount, currency, returnUrl, expiresAt }) => {
      const checkout = { paymentId: id, amount: `${amount}`, currency, returnUrl: returnUrl ?? '', expiresAt }
      const key = sharedKeyOf(webhookSecrets)
      const signature = key ? checkoutSignature(key, checkout) : ''
      // The gateway is not asked, so it names no expiry of its own.
      return { url: filled(checkoutUrl, { ...checkout, signature }), expiresAt: null, references: [] }
    },
  }),
})
