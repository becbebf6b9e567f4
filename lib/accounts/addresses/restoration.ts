import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'

/**
 * The record of an undone change of address: the change was made at `since` and undone at `at`. What was entered in the
 * account between the two may be another person's.
 */
export const Restoration = z.object({ userId: UserId, since: Timestamp, at: Timestamp })
export type Restoration = z.infer<typeof Restoration>

/** Whether something was entered between a change of address and its undoing. */
export const isEnteredIn = ({ since, at }: Restoration, moment: Timestamp): boolean =>
  moment > since && moment <= at
