/**
 * Returns a stored answer for the erasure of a person: null takes the place of every object with their `userId`.
 */
export const withoutPerson = (body: string, userId: string): string =>
  JSON.stringify(JSON.parse(body, (_key, value) => (isPerson(value, userId) ? null : value)))

const isPerson = (value: unknown, userId: string): boolean =>
  typeof value === 'object' && value !== null && 'userId' in value && value.userId === userId
