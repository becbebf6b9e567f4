/** Where files are stored that are too large for an answer; the bucket removes them after a day. */
export type LedgerFiles = {
  /** Stores a file and returns a link that works for five minutes without a credential. */
  store: (csv: string) => Promise<string>
}
