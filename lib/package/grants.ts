/** What something lets a function do, as IAM spells it. */
export type Statement = { Effect: 'Allow'; Action: string[]; Resource: unknown; Condition?: unknown }

/** Permissions by their cause: a variable that is read, a kind of event source, or a function's name. */
export type GrantTable = Readonly<Record<string, readonly Statement[]>>
