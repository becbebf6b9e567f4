/** What an entry says beside its subject, on one line; what it leaves empty is left out. */
export const dataText = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
