import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'

/** The stored item that says that a person's standing has changed. */
export const StandingChange = z.object({ userId: UserId, revision: z.int(), at: Timestamp })
