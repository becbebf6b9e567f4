import type { Id, IdKind } from './id.ts'
import type { Write } from './write.ts'

/**
 * Makes a repeated request return the first answer. `receipt` returns the writes that store the answer, for the transaction
 * that carries the request out; without an `Idempotency-Key` it returns none.
 */
export type Once<Answer> = { receipt: (answer: Answer) => Write[] }

/** `Once` with the id of the record to make. `resumed`: an earlier attempt had this id, and may have stopped at any point. */
export type OnceAs<Kind extends IdKind, Answer> = Once<Answer> & { id: Id<Kind>; resumed: boolean }
