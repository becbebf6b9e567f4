import type { OriginalName } from './media-links.ts'

/** What the bytes of an original are promised to be. */
export type OriginalFacts = { contentType: string; bytes: number; sha256: string }

/** An upload straight to the store: the request that the client is to make, byte for byte. */
export type DirectUpload = {
  url: string
  method: 'PUT'
  /** All of them are signed; a browser sets the length by itself. */
  headers: Record<string, string>
}

/** Where originals live: private for good. */
export type OriginalStore = {
  /** Refused by the store when the bytes are not those of the hash. */
  put: (name: OriginalName, content: Buffer, facts: Omit<OriginalFacts, 'bytes'>) => Promise<void>
  /** Lets a client put the bytes itself, for so many seconds, and only bytes of this length, type and hash. */
  presign: (name: OriginalName, facts: OriginalFacts, expiresInSeconds: number) => Promise<DirectUpload>
  /** How many bytes have arrived; undefined when none have. */
  size: (name: OriginalName) => Promise<number | undefined>
  read: (name: OriginalName) => Promise<AsyncIterable<Uint8Array>>
  /** Has the arrival of an original told once more. */
  retell: (name: OriginalName, contentType: string) => Promise<void>
}
