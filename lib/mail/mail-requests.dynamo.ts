import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter } from '#lib/kernel/clock'
import { mailRequestKey } from './mail-request.keys.ts'
import { type MailRequests, tryingSeconds } from './mail-request.ts'

/** Writes requests for mail in the one table: a file of its own, so that its functions bundle nothing of the queue. */
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
export const mailRequests = onTable(openMailRequests, { MAIL: ['put'] })
