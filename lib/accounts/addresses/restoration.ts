import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'

/** A return of a former address. What was entered in the account between `since` and `at` is not its owner's. */
export const Restoration = z.object({ userId: UserId, since: Timestamp, at: Timestamp })
export type Restoration = z.infer<typeof Restoration>
