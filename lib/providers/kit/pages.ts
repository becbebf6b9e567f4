import type { KnownPayment } from '#lib/providers/provider'

/** Whether the page of a payment has closed automatically. */
export const isPageOver = ({ checkout, expiresAt }: KnownPayment, now: Date): boolean =>
  now.getTime() >= Date.parse(checkout?.expiresAt ?? expiresAt)
