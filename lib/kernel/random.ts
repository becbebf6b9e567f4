import { randomBytes } from 'node:crypto'

/** Makes a text from the system's generator, base64url, of so many random bytes. */
export const makeSecret = (bytes: number): string => randomBytes(bytes).toString('base64url')
