import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter } from '#lib/kernel/clock'
import { mailRequestKey } from './mail-request.keys.ts'
import { type MailRequests, tryingSeconds } from './mail-request.ts'

/** Writes requests for mail in the one table. A bundle with this file alone gets no right to the senders' lists. */
export const openMailRequests = (table: Table): MailRequests => ({
  request: (request) => ({
    put: {
      ...mailRequestKey(request.id),
      kind: 'mail-request',
      ...request,
      expiresAtSeconds: Math.floor(
        secondsAfter(new Date(request.at), 2 * tryingSeconds(request)).getTime() / 1000,
      ),
    },
    when: 'absent',
  }),
  commit: table.commit,
})

/** The function's requests for mail. */
export const mailRequests = onTable(openMailRequests)
