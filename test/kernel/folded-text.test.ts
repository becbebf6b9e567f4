import { describe, expect, it } from 'vitest'
import {
  beginsEach,
  findableWords,
  foldedText,
  listedWords,
  rarestBeginning,
  wordsOf,
} from '#lib/kernel/folded-text'

describe('names that compare', () => {
  it.each([
    ['Thiès', 'thies'],
    ['  Dakar\n', 'dakar'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁn', 'fin'],
    ['İzmir', 'izmir'],
    ['Kadıköy', 'kadikoy'],
    ['Sacré-Cœur', 'sacre-coeur'],
    ['Łódź', 'lodz'],
    ['Ɗan Musa', 'dan musa'],
    ['Æ ǽ Ø ǿ Đ Ð Þ Ħ', 'ae ae o o d d th h'],
    ['Ɓ Ƙ Ɛ Ɔ ɔ̀', 'b k e o o'],
    ['So\u00adci\u200bété\ufeff', 'societe'],
    ['شَقَّـــة', 'شقه'],
    ['أحمد إحسان آمال', 'احمد احسان امال'],
    ['مستشفى', 'مستشفي'],
    ['مسؤول', 'مسؤول'],
    ['الرِّيَاض والرياض', 'رياض والرياض'],
    ['ال', 'ال'],
    ['٣ ۴', '3 4'],
    ['Ёлка', 'елка'],
    ['が', 'が'],
    ['हिन्दी', 'हिन्दी'],
  ])('%j is %j', (text, folded) => {
    expect(foldedText(text)).toBe(folded.normalize('NFKC'))
    expect(foldedText(folded)).toBe(folded.normalize('NFKC'))
  })

  it('an Arabic word is found with its article, without it, and by the beginnings of either', () => {
    expect(findableWords('البيت')).toEqual(['بيت', 'البيت'])
    for (const typed of ['ا', 'ال', 'الب', 'البيت', 'بي'])
      expect(beginsEach(wordsOf(typed), 'البيت')).toBe(true)
    expect(beginsEach(wordsOf('البيت'), 'بيت')).toBe(true)
  })

  it.each(['\u0301\u0323', '\u064b\u0655', '\u0301\uff9e', '\u00ad', 'ال', 'ß'])(
    'a megabyte of %j folds in time',
    (piece) => {
      const begun = performance.now()
      foldedText(`a${piece.repeat(2 ** 20 / Buffer.byteLength(piece))}`)
      expect(performance.now() - begun).toBeLessThan(2_000)
    },
  )

  it('words are parted by everything but letters, digits and marks, and named once', () => {
    expect(wordsOf("Villa d'Or, 3-pièces — villa!")).toEqual(['villa', 'd', 'or', '3', 'pieces'])
    expect(wordsOf(' … ')).toEqual([])
  })
})

describe('a search by beginnings of words', () => {
  it('finds a text where each word begins one of its own', () => {
    expect(beginsEach(['vil', 'mer'], 'Villa sur Mer')).toBe(true)
    expect(beginsEach(['vil', 'lac'], 'Villa sur Mer')).toBe(false)
    expect(beginsEach(['illa'], 'Villa sur Mer')).toBe(false)
    expect(beginsEach([], 'Villa sur Mer')).toBe(true)
  })

  it('lists a text by its first words, without those that begin another', () => {
    expect(listedWords('Mar Marina Marina Sol', 5)).toEqual(['marina', 'sol'])
    expect(listedWords('one two three four', 2)).toEqual(['one', 'two'])
  })

  it('lists a long word by its first 80 characters, and looks for it by them', () => {
    expect(listedWords('a'.repeat(90), 5)).toEqual(['a'.repeat(80)])
    expect(rarestBeginning(['b'.repeat(90)])).toBe('b'.repeat(80))
  })

  it('never cuts a long word within a character, which no key can hold', () => {
    const word = `a${'𐐨'.repeat(60)}`
    expect(listedWords(word, 5)).toEqual([`a${'𐐨'.repeat(39)}`])
    expect(rarestBeginning([word])).toBe(`a${'𐐨'.repeat(39)}`)
  })

  it('lists long words that begin alike once', () => {
    expect(listedWords(`${'a'.repeat(80)}b ${'a'.repeat(80)}c d`, 2)).toEqual(['a'.repeat(80), 'd'])
  })

  it('begins with the longest of several words, the first of equal ones', () => {
    expect(rarestBeginning(['la', 'villa', 'blanc'])).toBe('villa')
    expect(rarestBeginning([])).toBe('')
  })
})
