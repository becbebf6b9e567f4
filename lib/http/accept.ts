/**
 * Whether an `Accept` field would rather have a page than JSON. A browser names `text/html`; a client that takes anything is
 * answered JSON (RFC 9110, section 12.5.1).
 */
export function prefersPage(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const qualityOf = (...types: string[]) =>
    types
      .map((type) => ranges.find((range) => range.type === type)?.quality)
      .find((found) => found !== undefined) ?? 0
  const page = qualityOf('text/html')
  return page > 0 && page >= qualityOf('application/json', 'application/*', '*/*')
}
