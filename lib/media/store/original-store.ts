import type { OriginalName } from './media-links.ts'

/** The type, length and hash that a client promises of an original. */
type OriginalFacts = { contentType: string; bytes: number; sha256: string }

/** An upload straight to the store: the request that the client is to make, byte for byte. */
export type DirectUpload = {
  url: string
  method: 'PUT'
  /** All of them are signed. The client adds the length, which is signed, too. */
  headers: Record<string, string>
}

/** The store of originals, which are always private. */
export type OriginalStore = {
  /** Stores the bytes; refused by S3 if they do not have the hash. */
  put: (name: OriginalName, content: Buffer, facts: Omit<OriginalFacts, 'bytes'>) => Promise<void>
  /**
   * Lets a client put the bytes itself, once, within so many seconds, and only bytes of this length, type and hash. A
   * second attempt is refused with 412: the bytes have arrived.
   */
  presign: (name: OriginalName, facts: OriginalFacts, expiresInSeconds: number) => Promise<DirectUpload>
  /** Returns the number of bytes that have arrived; undefined without any. */
  size: (name: OriginalName) => Promise<number | undefined>
  read: (name: OriginalName) => Promise<AsyncIterable<Uint8Array>>
  /** Removes an original; a missing one is ignored. */
  remove: (name: OriginalName) => Promise<void>
  /** Repeats the notification of an original's arrival. */
  announceAgain: (name: OriginalName, contentType: string) => Promise<void>
}
