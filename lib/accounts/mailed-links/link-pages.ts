import { dependency } from '#lib/config/config'
import type { LinkPurpose } from '#lib/mail/mail-request'

/** The pages that mailed links open, which hand the token on to this service. */
export type LinkPages = Readonly<Record<LinkPurpose, string>>

/** The front end's pages; without configured ones, the service's own under `PUBLIC_URL`. */
export const linkPages = dependency(
  ['PUBLIC_URL', 'PASSWORD_RESET_URL', 'EMAIL_VERIFICATION_URL', 'EMAIL_CHANGE_URL', 'EMAIL_UNDO_URL'],
  ({ PUBLIC_URL, ...pages }): LinkPages => ({
    'password-reset': pages.PASSWORD_RESET_URL ?? `${PUBLIC_URL}/reset-password`,
    'email-verification': pages.EMAIL_VERIFICATION_URL ?? `${PUBLIC_URL}/verify-email`,
    'email-change': pages.EMAIL_CHANGE_URL ?? `${PUBLIC_URL}/change-email`,
    'email-undo': pages.EMAIL_UNDO_URL ?? `${PUBLIC_URL}/undo-email-change`,
  }),
)

/** Adds the token to the query of a page's address. */
export function linkTo(page: string, token: string): string {
  const address = new URL(page)
  address.searchParams.set('token', token)
  return address.href
}
