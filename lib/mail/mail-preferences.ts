import * as z from 'zod'
import type { MailTopic } from './mail-content.ts'

/** Which mails a person wants. */
export const MailPreferences = z
  .object({
    listings: z.boolean(),
    enquiries: z.boolean(),
    payments: z.boolean(),
    favourites: z.boolean(),
    searches: z.boolean(),
  } satisfies Record<MailTopic, z.ZodType>)
  .meta({ id: 'MailPreferences' })
export type MailPreferences = z.infer<typeof MailPreferences>
