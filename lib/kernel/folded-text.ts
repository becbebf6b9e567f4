/** Characters that show nothing, such as soft hyphens and joiners. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu
/**
 * More marks in a row than any language writes. Normalization sorts a row of marks, in the square of its length. Two letters
 * of Japanese become marks by it.
 */
const ENDLESS_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
/** Marks on a Latin, Greek or Cyrillic letter, after decomposition. Marks of other scripts are part of their words. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
/** Vowel and reading marks of Arabic, without madda and hamza, and tatweel, which lengthens a word. */
const ARABIC_MARKS = /(?![\u0653-\u0655])(?=\p{M})[\u0600-\u06ff]|\u0640/gu
/** Madda or hamza on an alef. */
const ALEF_MARKS = /(?<=\u0627)[\u0653-\u0655]+/g
/** Arabic-Indic digits, also those of Persian and Urdu. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g
/** The article of Arabic before two letters or more. After it goes, no other one is left to go. */
const ARTICLE = /(?<![\p{L}\p{N}\p{M}])(?:\u0627\u0644)+(?=\p{L}{2})/gu

/** Letters that Unicode does not decompose, and Arabic ones that are written for one another. */
const BASES = new Map(
  Object.entries({
    œ: 'oe',
    æ: 'ae',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ɓ: 'b',
    ɗ: 'd',
    ƙ: 'k',
    ɛ: 'e',
    ɔ: 'o',
    ى: 'ي',
    ة: 'ه',
  }),
)
const BASED = new RegExp(`[${[...BASES.keys()].join('')}]`, 'gu')

/**
 * Returns text in the form in which names compare: `thies` equals `Thiès`, and `lodz` equals `Łódź`. The form is NFKC,
 * trimmed and case folded. It has no invisible characters, no accents of Latin, Greek and Cyrillic letters, no vowel marks of
 * Arabic and no Arabic article. Folding a folded text changes nothing.
 */
export const foldedText = (text: string): string => withArticles(text).replace(ARTICLE, '')

const withArticles = (text: string): string =>
  [...text.replace(INVISIBLE, '').replace(ENDLESS_MARKS, '$1').normalize('NFKC').trim()]
    .map(foldedCase)
    .join('')
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .replace(ARABIC_MARKS, '')
    .replace(ALEF_MARKS, '')
    .replace(BASED, (letter) => BASES.get(letter) ?? letter)
    // The last four bits of a digit's code are its value.
    .replace(ARABIC_DIGITS, (digit) => `${digit.charCodeAt(0) & 15}`)
    .normalize('NFKC')

/**
 * Folds the case of a character as Unicode does. JavaScript has no function for it: by way of upper case `ß` becomes
 * `ss`, `ς` becomes `σ`, and `ı` becomes `i`.
 */
const foldedCase = (character: string): string => character.toLowerCase().toUpperCase().toLowerCase()

/** A run of letters, digits and marks. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the words of a text, folded, each once. Every other visible character separates words. */
export const wordsOf = (text: string): string[] => [...new Set(foldedText(text).match(WORD) ?? [])]

/** Returns the words that a text is found by: an Arabic word both without its article and with it. */
export function findableWords(text: string): string[] {
  const whole = withArticles(text)
  return [...new Set(`${whole.replace(ARTICLE, '')}\n${whole}`.match(WORD) ?? [])]
}

/** Whether each word begins a word of a text. */
export function beginsEach(words: readonly string[], text: string): boolean {
  const own = findableWords(text)
  return words.every((word) => own.some((each) => each.startsWith(word)))
}

/** The length to which a list cuts its words, so that its keys stay within DynamoDB's limit. */
const BEGINNING_LENGTH = 80

/**
 * Returns the words to list a text by, at most `max`. A word that begins another word is left out: a search for it finds
 * the other.
 */
export const listedWords = (text: string, max: number): string[] => {
  const beginnings = findableWords(text)
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
