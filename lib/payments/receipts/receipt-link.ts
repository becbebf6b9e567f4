import * as z from 'zod'
import { type Clock, MINUTE_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentId } from '#lib/kernel/id'
import { Locale } from '#lib/kernel/locale'
import { type HmacKeys, newestKey, readToken, signToken } from '#lib/kernel/signed-token'

/** Where the page of a receipt opens without a credential, and until when. */
export const ReceiptLink = z
  .object({ url: z.url(), expiresAt: Timestamp.meta({ example: '2026-12-20T17:00:00.000Z' }) })
  .meta({ id: 'ReceiptLink' })

export const ReceiptLinkQuery = z.object({ token: z.string().min(1).max(500) })

const PURPOSE = 'receipt'
const LINK_SECONDS = 5 * MINUTE_SECONDS

type Deps = { hmacKeys: HmacKeys; settings: { PUBLIC_URL: string }; now: Clock }

/** Returns a link to the page of a receipt in a language. It opens the page for five minutes, without a sign-in. */
export async function receiptLink(
  { hmacKeys, settings, now }: Deps,
  id: PaymentId,
  locale: Locale,
): Promise<z.infer<typeof ReceiptLink>> {
  const expiresAt = secondsAfter(now(), LINK_SECONDS)
  const token = signToken(await newestKey(hmacKeys), PURPOSE, `${id}.${locale}.${expiresAt.getTime()}`)
  return { url: `${settings.PUBLIC_URL}/receipt?token=${token}`, expiresAt: timestamp(expiresAt) }
}

/** Reads the payment and the language of a link. Throws `invalid_token`, also once the link has expired. */
export async function readReceiptLink(
  { hmacKeys, now }: Omit<Deps, 'settings'>,
  token: string,
): Promise<{ id: PaymentId; locale: Locale }> {
  const [payment, language, until] = readToken(await hmacKeys(), PURPOSE, token)?.split('.') ?? []
  const id = PaymentId.safeParse(payment).data
  const locale = Locale.safeParse(language).data
  if (!id || !locale || now().getTime() >= Number(until)) throw new DomainError('invalid_token')
  return { id, locale }
}
