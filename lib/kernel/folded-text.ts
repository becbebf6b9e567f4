/** Marks on a Latin, Greek or Cyrillic letter, after decomposition. Marks of other scripts are part of their words. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

/**
 * Returns text in the form in which names compare: NFKC, trimmed, letter case folded (`ß` as `ss`, `ς` as `σ`, `ı` not
 * as `i`) and without the accents of Latin, Greek and Cyrillic letters, so that `thies` equals `Thiès`.
 */
export const foldedText = (text: string): string =>
  [...text.normalize('NFKC').trim()]
    .map(foldedCase)
    .join('')
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .normalize('NFKC')

const foldedCase = (character: string): string =>
  character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()

/** A run of letters, digits and marks. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the words of a text, folded, each once. Everything but letters, digits and marks parts words. */
export const wordsOf = (text: string): string[] => [...new Set(foldedText(text).match(WORD) ?? [])]
