/** The accents of Latin, Greek and Cyrillic letters. Vowel signs of other scripts are letters, and stay. */
const ACCENTS = /[\u0300-\u036f]/g

/**
 * Text in the form in which names compare: NFKC, trimmed, letter case folded (`ß` as `ss`, `ς` as `σ`, `ı` not as `i`)
 * and without accents, so that `thies` equals `Thiès`.
 */
export const foldedText = (text: string): string =>
  [...text.normalize('NFKC').trim()]
    .map(foldedCase)
    .join('')
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFKC')

const foldedCase = (character: string): string =>
  character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()
