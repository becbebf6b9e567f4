import * as z from 'zod'
import { type Account, AccountStatus, UserView, userView } from './account.ts'

/** A user as administrators see them. */
export const AdministeredUser = UserView.extend({
  status: AccountStatus,
  banReason: z.string().nullable(),
}).meta({ id: 'AdministeredUser' })

/** The user as they are at this moment. */
export const administeredUser = (account: Account, now: Date): z.infer<typeof AdministeredUser> => ({
  ...account,
  ...userView(account, now),
})
