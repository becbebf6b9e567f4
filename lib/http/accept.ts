/**
 * Whether an `Accept` field prefers this type to JSON (RFC 9110, section 12.5.1). A browser names `text/html`; a client
 * that accepts any type gets JSON.
 */
export function prefers(type: 'text/html' | 'text/csv', accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const qualityOf = (...names: string[]) =>
    names
      .map((name) => ranges.find((range) => range.name === name)?.quality)
      .find((found) => found !== undefined) ?? 0
  const wanted = qualityOf(type)
  return wanted > 0 && wanted >= qualityOf('application/json', 'application/*', '*/*')
}

/** Whether an `Accept` field prefers a page to JSON. */
export const prefersPage = (accept: string | undefined): boolean => prefers('text/html', accept)
