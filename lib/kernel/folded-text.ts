/** Marks on a Latin, Greek or Cyrillic letter, after decomposition. Marks of other scripts are part of their words. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

/**
 * Returns text in the form in which names compare: NFKC, trimmed, case folded, and without the accents of Latin, Greek
 * and Cyrillic letters, so that `thies` equals `Thiès`.
 */
export const foldedText = (text: string): string =>
  [...text.normalize('NFKC').trim()]
    .map(foldedCase)
    .join('')
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .normalize('NFKC')

/**
 * Folds the case of a character as Unicode does. JavaScript has no function for it: by way of upper case `ß` becomes
 * `ss`, and `ς` becomes `σ`. Only `ı` would wrongly become `i`.
 */
const foldedCase = (character: string): string =>
  character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()

/** A run of letters, digits and marks. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the words of a text, folded, each once. Every other character separates words. */
export const wordsOf = (text: string): string[] => [...new Set(foldedText(text).match(WORD) ?? [])]

/** Whether each word begins a word of a text. */
export function beginsEach(words: readonly string[], text: string): boolean {
  const own = wordsOf(text)
  return words.every((word) => own.some((each) => each.startsWith(word)))
}

/** The length to which a list cuts its words, so that its keys stay within DynamoDB's limit. */
const BEGINNING_LENGTH = 80

/**
 * Returns the words to list a text by, at most `max`. A word that begins another word is left out: a search for it finds
 * the other.
 */
export const listedWords = (text: string, max: number): string[] => {
  const beginnings = wordsOf(text)
    .filter((word, _index, words) => !words.some((other) => other !== word && other.startsWith(word)))
    .map(beginningOf)
  // Two long words may have the same beginning, of which there is one key.
  return [...new Set(beginnings)].slice(0, max)
}

/** Returns the word to search a list for, cut as the list cuts words: the longest, since the fewest words begin with it. */
export const rarestBeginning = (words: readonly string[]): string =>
  beginningOf(words.reduce((longest, word) => (word.length > longest.length ? word : longest), ''))

function beginningOf(word: string): string {
  const beginning = word.slice(0, BEGINNING_LENGTH)
  // A key holds no half of a surrogate pair.
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1)
}
