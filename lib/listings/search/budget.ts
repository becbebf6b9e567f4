/** The most queries a page makes; with one read of listings and one of agents it stays well under 40 requests. */
export const QUERIES_MAX = 34

/** The most entries a page reads. */
export const ENTRIES_MAX = 500

/** The queries and entries that a page may still use. */
export type Budget = { queries: number; entries: number }

export const fullBudget = (): Budget => ({ queries: QUERIES_MAX, entries: ENTRIES_MAX })
