import type { IncomingHttpHeaders } from 'node:http'

type Query = [name: string, value: string][]

/** Returns a target's path and query, decoded. Throws a URIError when an escape is malformed. */
export function splitTarget(target: string): { path: string; query: Query } {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const pairs = query.split('&').filter(Boolean)
  return {
    path: decodeURIComponent(path),
    query: pairs.map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [decodeURIComponent(name), decodeURIComponent(value)]
    }),
  }
}

/** Returns a header's one value, as a signature covers it. */
export const headerValue = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(',') : value)?.trim().replace(/ +/g, ' ')
}
