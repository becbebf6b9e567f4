/**
 * The common and leaked passwords of `@zxcvbn-ts/language-common` from five characters, some 47,000, as a filter of about
 * 140 kB. It takes one in 100,000 other words by mistake, and so one in about 5,000 passwords, each of which is tried in
 * some twenty forms. The build runs this once and ships its result: the list is in no function's bundle.
 */
import { dictionary } from '@zxcvbn-ts/language-common'
import { makeFilter } from './bloom-filter.ts'

/** Shorter ones matter only as the beginning of a longer password, and below this length too many would. */
const MIN_LENGTH = 5

/** The filter, for `openFilter`. */
export const commonPasswords = async (): Promise<string> =>
  makeFilter(dictionary['passwords-common'].map(String).filter((word) => word.length >= MIN_LENGTH))
