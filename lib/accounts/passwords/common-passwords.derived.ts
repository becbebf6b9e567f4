/**
 * The list of common and leaked passwords of `@zxcvbn-ts/language-common` as a filter of about 140 kB. The
 * build runs this once and ships its result: neither the list nor this code is in a function's bundle.
 */
import { dictionary } from '@zxcvbn-ts/language-common'
import { makeFilter } from './bloom-filter.ts'

/** Shorter ones matter only as the beginning of a longer password, and below this length too many would. */
const MIN_LENGTH = 6

/** The filter, for `openFilter`. */
export const commonPasswords = async (): Promise<string> =>
  makeFilter(dictionary['passwords-common'].map(String).filter((word) => word.length >= MIN_LENGTH))
