import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'

/** A stored change of a person's status or eligibility to publish. */
export const EligibilityChange = z.object({ userId: UserId, revision: z.int(), at: Timestamp })
