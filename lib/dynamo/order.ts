import { Timestamp } from '#lib/kernel/clock'

/** Reads an order that begins with a moment, `<moment>#<id>`. */
export function readOrder(order: unknown): { at: Timestamp; id: string } {
  const text = String(order)
  const end = text.indexOf('#')
  return { at: Timestamp.parse(text.slice(0, end)), id: text.slice(end + 1) }
}
