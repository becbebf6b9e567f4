const ERROR_MAX = 300

/** Returns the error of a mail as one line that does not repeat the address. */
export function errorText(error: unknown, address: string | undefined): string {
  const line = `${error}`.replace(/\s+/g, ' ')
  return (address ? line.replaceAll(address, '<address>') : line).slice(0, ERROR_MAX)
}
