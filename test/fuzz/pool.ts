import { isJson } from './described-api.ts'
import type { Random } from './random.ts'

/** What answers held and later requests send: ids by their prefix, other texts by the name of their field. */
export type Pool = {
  /** Keeps what an answer holds, at whatever depth. */
  keep: (answer: unknown) => void
  /** One of the texts of a name; undefined where there is none. */
  take: (name: string, random: Random) => string | undefined
}

/** Fields whose texts are worth sending back. */
const FIELDS = new Set([
  'nextCursor',
  'challenge',
  'refreshToken',
  'deviceToken',
  'lastAt',
  'reference',
  'providerReference',
  'email',
  'phone',
  'etag',
  'title',
])
const ID = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Of one name so many are kept; the oldest goes first. */
const KEPT_MAX = 200

export function openPool(): Pool {
  const texts = new Map<string, string[]>()
  const add = (name: string, text: string) => {
    const kept = texts.get(name) ?? []
    if (!kept.includes(text)) kept.push(text)
    if (kept.length > KEPT_MAX) kept.shift()
    texts.set(name, kept)
  }
  const keepText = (text: string, name: string) => {
    const [, prefix] = ID.exec(text) ?? []
    if (prefix !== undefined) add(prefix, text)
    else if (FIELDS.has(name)) add(name, text)
  }
  const keep = (value: unknown, name = ''): void => {
    if (typeof value === 'string') keepText(value, name)
    else if (Array.isArray(value)) for (const item of value) keep(item, name)
    else if (isJson(value)) for (const [field, part] of Object.entries(value)) keep(part, field)
  }
  return {
    keep,
    take: (name, random) => {
      const kept = texts.get(name) ?? []
      // The newest are of lives that still go on.
      if (kept.length === 0) return undefined
      return kept[
        random.chance(0.5)
          ? kept.length - 1 - random.below(Math.min(5, kept.length))
          : random.below(kept.length)
      ]
    },
  }
}
