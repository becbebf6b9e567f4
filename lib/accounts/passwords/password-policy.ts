import { DomainError } from '#lib/kernel/domain-error'
import { openFilter } from './bloom-filter.ts'
import { commonPasswords } from './common-passwords.derived.ts'
import { PASSWORD_MAX_LENGTH, WEAKNESSES } from './password-rule.ts'

/** The person whose password is checked: their own name and address are the first guesses. */
type Owner = { name: string | null; email: string }

let filter: Promise<(word: string) => boolean> | undefined

/**
 * Applies NIST SP 800-63B-4: a minimum length, no rules of composition, and no password that is common, leaked, a
 * repetition, or the account's own name or address. Throws `weak_password` with the reason; `field` is the password's
 * name in the request.
 */
export async function refuseWeakPassword(
  password: string,
  minLength: number,
  owner: Owner,
  { field = 'password' }: { field?: string } = {},
): Promise<void> {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < minLength || length > PASSWORD_MAX_LENGTH) {
    throw weakPassword(field, `must have ${minLength} to ${PASSWORD_MAX_LENGTH} characters`)
  }
  filter ??= commonPasswords().then(openFilter)
  const isCommon = await filter
  const guesses = variantsOf(normal.toLowerCase())
  // A run, and a repetition of one or two characters, are reduced to fewer than three.
  if (guesses.some((guess) => guess.length < 3 || isCommon(guess)))
    throw weakPassword(field, WEAKNESSES.common)
  const own = ownWords(owner)
  if (guesses.some((guess) => own.has(guess))) throw weakPassword(field, WEAKNESSES.own)
}

/** Returns the forms in which a password is looked up: as it is, and with letters in place of signs that look like them. */
const variantsOf = (password: string): string[] => [
  ...new Set([password, undisguised(password)].flatMap(partsOf)),
]

/** Returns a password and its simpler parts. A repetition is reduced to its unit: `abcabc` to `abc`; a run, `1234`, to `1`. */
function partsOf(password: string): string[] {
  // `123456!` is `123456`. A password of signs alone is judged as a whole.
  const withoutLastSigns = password.replace(/[^\p{L}\p{N}]+$/u, '') || password
  // `2024password!` is `password`.
  const core = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  // `pass-word1` is `password`.
  const letters = password.replace(/[^\p{L}]/gu, '')
  const whole = [password, withoutLastSigns, unitOf(password), runOf(password)]
  // One or two letters among digits and signs may well be random, so they are not looked up.
  if (letters.length < 3) return whole
  // Among the few letters of a password that is mostly digits, a run or a repetition may be random, too.
  const hasFewLetters = letters.length * 2 < password.length
  const reducedLetters = hasFewLetters ? [] : [unitOf(letters), runOf(unitOf(letters))]
  return [...whole, core, unitOf(core), letters, ...reducedLetters]
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '€': 'e',
  '!': 'i',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
}

/** Replaces signs by the letters that they look like, but digits and `!` only between letters: `p@ssw0rd` is `password`. */
const undisguised = (password: string): string =>
  password.replace(/[@$€]|(?<=[\p{L}@$€])[!013457](?=[\p{L}@$€])/gu, (sign) => LOOKALIKES[sign] ?? sign)

/** Returns the repeated unit: `passwordpassword` is no better than `password`. */
const unitOf = (word: string): string => /^(.+?)\1+$/su.exec(word)?.[1] ?? word

/** Reduces a run to its first character: digits that count up or down, or letters of the alphabet in either order. */
const runOf = (word: string): string => {
  if (!/^(\d+|[a-z]+)$/.test(word)) return word
  // Steps are counted around a cycle, so that `8901` and `wxyza` are runs: 1 is up, and one less than the cycle is down.
  const cycle = /^\d/.test(word) ? 10 : 26
  const codes = [...word].map((character) => character.charCodeAt(0))
  const steps = codes.slice(1).map((code, index) => (code - (codes[index] ?? 0) + cycle) % cycle)
  const isRun = steps.every((step) => step === 1) || steps.every((step) => step === cycle - 1)
  return isRun ? word.slice(0, 1) : word
}

/** Returns the forms of an owner's name and address that are no password, in the Unicode form of a checked password. */
const ownWords = ({ name, email }: Owner): Set<string> => {
  const address = email.toLowerCase()
  const fullName = (name ?? '').normalize('NFKC').toLowerCase()
  const words = [address, address.split('@')[0] ?? '', fullName, fullName.replace(/\s+/g, '')]
  return new Set(
    words.flatMap((word) => [word, word.replace(/[^\p{L}]+$/u, '')]).filter((word) => word.length >= 3),
  )
}

const weakPassword = (path: string, message: string): DomainError =>
  new DomainError('weak_password', {
    detail: `The password ${message}`,
    errors: [{ path, code: 'weak_password', message }],
  })
