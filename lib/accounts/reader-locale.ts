import { type Locale, localeFor } from '#lib/kernel/locale'
import type { Account } from './account.ts'

/** The language of who reads: a user's own, and what an administrator's browser asks for. */
export const readerLocale = (
  reader: { kind: 'user'; account: Pick<Account, 'locale'> } | { kind: 'administrator' },
  acceptLanguage: string | null,
): Locale => (reader.kind === 'user' ? reader.account.locale : localeFor(acceptLanguage))
