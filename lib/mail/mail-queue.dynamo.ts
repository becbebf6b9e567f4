import { onTable } from '#lib/dynamo/table'
import { mailRequestKey } from './mail-request.keys.ts'
import { MAIL_REQUEST_SECONDS, type MailQueue } from './mail-request.ts'

/** The function's queue: items that the table removes once they are of no use. */
export const mailQueue = onTable(
  (table): MailQueue => ({
    put: (request) =>
      table.commit([
        {
          put: {
            ...mailRequestKey(request.id),
            kind: 'mail-request',
            ...request,
            expiresAtSeconds: Math.floor(Date.parse(request.at) / 1000) + MAIL_REQUEST_SECONDS,
          },
          when: 'absent',
        },
      ]),
  }),
)
