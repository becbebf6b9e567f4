import type { Id, IdKind } from './id.ts'
import type { Write } from './write.ts'

/**
 * Makes a repeated request return the first answer. `receipt` returns the writes that store the answer, for the transaction
 * that carries the request out; without an `Idempotency-Key` it returns none.
 */
export type Once<Answer> = { receipt: (answer: Answer) => Write[] }

/** `Once` with the id reserved for what is made. `resumed`: an earlier attempt with it may have stopped at any point. */
export type OnceAs<Kind extends IdKind, Answer> = Once<Answer> & { id: Id<Kind>; resumed: boolean }
