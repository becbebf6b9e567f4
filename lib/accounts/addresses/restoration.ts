import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'

/** A stored return of a former address: what was entered between the two moments is not its owner's. */
export const Restoration = z.object({ userId: UserId, since: Timestamp, at: Timestamp })
export type Restoration = z.infer<typeof Restoration>
