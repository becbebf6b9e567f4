import { dependency } from '#lib/config/config'
import { DAY_SECONDS, secondsAfter } from '#lib/kernel/clock'

/** The address for reports of vulnerabilities, and the canonical address of the file that names it. */
type SecurityContact = { email: string; canonical: string }

/** The mailbox `security` (RFC 2142) of the domain that mail is sent from. */
export const securityContact = dependency(
  ['PUBLIC_URL', 'MAIL_FROM'],
  ({ PUBLIC_URL, MAIL_FROM }): SecurityContact => {
    const [, domain = new URL(PUBLIC_URL).hostname] = /@([^\s>]+)/.exec(MAIL_FROM) ?? []
    return { email: `security@${domain}`, canonical: `${PUBLIC_URL}/.well-known/security.txt` }
  },
)

/** RFC 9116 recommends that the statement is valid for less than a year. */
const VALID_SECONDS = 180 * DAY_SECONDS

/** Writes the `security.txt` of RFC 9116. */
export const securityTxt = ({ email, canonical }: SecurityContact, now: Date): string =>
  [
    `Contact: mailto:${email}`,
    `Expires: ${secondsAfter(now, VALID_SECONDS).toISOString()}`,
    'Preferred-Languages: en, fr',
    `Canonical: ${canonical}`,
    '',
  ].join('\n')
