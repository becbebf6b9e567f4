/** A piece of a text, and whether it is a way to reach a person outside the platform. */
type Part = { text: string; isContact: boolean }

const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u
const LINK = /(?:https?:\/\/|www\.|\b(?:wa\.me|t\.me)\/)[^\s<>",]*[\p{L}\p{N}/]/u
const HANDLE = /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{3,}/u
/** 8 to 15 digits with at most two separators between any two. */
const NUMBER = /(?<![\p{L}\p{N}])\+?\p{Nd}(?:[\s\u00a0\u202f().,/-]{0,2}\p{Nd}){7,14}(?![\p{L}\p{N}])/u

const CONTACT = new RegExp([ADDRESS, LINK, HANDLE, NUMBER].map(({ source }) => source).join('|'), 'giu')

/** Groups of three digits, such as `1 250 000`, are an amount rather than a telephone number. */
const SUM = /^[1-9]\p{Nd}{0,2}(?:[\s\u00a0\u202f.,]\p{Nd}{3})+$/u

/** Divides a text into parts: addresses, links, telephone numbers and the rest. */
export function contactParts(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(CONTACT)) {
    if (SUM.test(found)) continue
    parts.push({ text: text.slice(end, index), isContact: false }, { text: found, isContact: true })
    end = index + found.length
  }
  parts.push({ text: text.slice(end), isContact: false })
  return parts.filter((part) => part.text !== '')
}
