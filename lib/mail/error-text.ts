import { cutText } from '#lib/kernel/cut-text'

const ERROR_MAX = 300

/** Returns the error of a mail as one line that does not repeat the address, in whatever case a server writes it. */
export function errorText(error: unknown, address: string | undefined): string {
  const line = `${error}`.replace(/\s+/g, ' ')
  return cutText(address ? line.replace(patternOf(address), '<address>') : line, ERROR_MAX)
}

const patternOf = (address: string): RegExp => new RegExp(address.replace(/[^\w@]/g, '\\$&'), 'gi')
