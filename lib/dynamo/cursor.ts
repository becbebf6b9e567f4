import { dependency } from '#lib/config/config'
import { CURSOR_MAX, type Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import { hmacOf, isHmacOf } from '#lib/kernel/signatures'

const MAC_BYTES = 16

/** Makes cursors signed with the first key, and accepts those signed with any of the keys. */
export const cursorsWith = (keys: readonly Buffer[]): Cursors => {
  const [signing] = keys
  if (signing === undefined) throw new Error('CURSOR_KEYS holds no key')
  return {
    seal: (list, filters, position) => {
      const text = JSON.stringify(position)
      const mac = hmacOf(signing, JSON.stringify([list, filters, text])).subarray(0, MAC_BYTES)
      return Buffer.concat([mac, Buffer.from(text)]).toString('base64url')
    },
    open: (list, filters, cursor, schema) => {
      if (cursor === undefined) return undefined
      if (cursor.length > CURSOR_MAX) throw new DomainError('invalid_cursor')
      const bytes = Buffer.from(cursor, 'base64url')
      const mac = bytes.subarray(0, MAC_BYTES)
      const text = bytes.subarray(MAC_BYTES).toString('utf8')
      // Decoding skips characters that are not base64url: only the spelling of `seal` is accepted.
      const isOurs =
        mac.length === MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        isHmacOf(keys, JSON.stringify([list, filters, text]), mac)
      if (!isOurs) throw new DomainError('invalid_cursor')
      return schema.parse(JSON.parse(text))
    },
  }
}

/** The cursors, as a dependency of functions. */
export const cursors = dependency(['CURSOR_KEYS'], ({ CURSOR_KEYS }) => cursorsWith(CURSOR_KEYS))
