import type { PrivateContent } from './private-bucket.s3.ts'

/** Imported at the first use: most requests need no client of S3, which takes 34 ms to load. */
const bucket = () => import('./private-bucket.s3.ts')

/** Objects of a private bucket, encrypted at rest by S3. */
export const privateObjects = (name: string) => ({
  put: async (key: string, content: PrivateContent): Promise<void> =>
    (await bucket()).put(name, key, content),
  remove: async (key: string): Promise<void> => (await bucket()).remove(name, key),
  removeAll: async (prefix: string): Promise<void> => (await bucket()).removeAll(name, prefix),
})

/** Returns a link to an object of a private bucket. It needs no credential, and expires. */
export const privateLink = async (name: string, key: string, expiresIn: number): Promise<string> =>
  (await bucket()).link(name, key, expiresIn)
