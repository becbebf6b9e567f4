import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { type Account, AccountStatus, UserView, userView } from './account.ts'
import { OwnListingLimits } from './listing-limits.ts'

/** A user as administrators see them. */
export const AdministeredUser = UserView.extend({
  status: AccountStatus,
  banReason: z.string().nullable(),
  bannedAt: Timestamp.nullable().meta({ description: 'When the present ban began; null without one' }),
  provenAt: Timestamp.nullable().meta({
    description: 'When the e-mail was verified; null until then',
    example: '2026-11-02T09:14:31.207Z',
  }),
  listingLimits: OwnListingLimits.nullable().meta({
    description: 'Null where nobody set them',
    example: null,
  }),
}).meta({ id: 'AdministeredUser' })

/** Returns the user as they are at this moment. */
export const administeredUser = (account: Account, now: Date): z.infer<typeof AdministeredUser> => ({
  // The answer's schema drops the other fields of the account.
  ...account,
  ...userView(account, now),
})
