import { randomBytes } from 'node:crypto'

/** Makes a text of random bytes from the system's generator, in base64url. */
export const makeSecret = (bytes: number): string => randomBytes(bytes).toString('base64url')
