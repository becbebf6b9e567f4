type Headers = Record<string, boolean | number | string>

/** Adds request headers to those by which an answer varies. */
export function withVary(headers: Headers, ...names: string[]): Headers {
  const known = String(headers['vary'] ?? '')
    .split(/, */)
    .filter(Boolean)
  return { ...headers, vary: [...new Set([...known, ...names])].join(', ') }
}
