import type { Timestamp } from '#lib/kernel/clock'
import type { Money } from '#lib/kernel/money'
import type { CodeWords } from './words/codes/codes.ts'
import type { NoticeName } from './words/words.ts'

/**
 * All that the words of one notice are made of, read at the moment when they are made: what is null is not there,
 * no longer there, or not said by this notice.
 */
export type Matter = {
  name: NoticeName
  at: Timestamp
  /** The other person's name. */
  person: string | null
  /** The listing's title. */
  listing: string | null
  money: Money | null
  purpose: keyof CodeWords['purposes'] | null
  receipt: string | null
  until: Timestamp | null
  visit: Timestamp | null
  dueAt: Timestamp | null
  /** Reason codes of a decision. One that this version does not know is another reason. */
  reasons: readonly string[]
  /** What the administrator who decided wrote to the person. */
  message: string | null
  /** What a session was opened with. */
  browser: string | null
  network: string | null
}
