/** Where the audit of the ledger stopped: the id of the last payment seen, null at the end of a round. */
export type AuditPlace = { get: () => Promise<string | null>; put: (place: string | null) => Promise<void> }
