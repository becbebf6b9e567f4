import { type Locale, localeFor } from '#lib/kernel/locale'
import type { Account } from './account.ts'

/** Returns the language of a reader: a user's is stored, an administrator's browser sends it. */
export const readerLocale = (
  reader: { kind: 'user'; account: Pick<Account, 'locale'> } | { kind: 'administrator' },
  acceptLanguage: string | null,
): Locale => (reader.kind === 'user' ? reader.account.locale : localeFor(acceptLanguage))
