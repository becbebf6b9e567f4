import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { mailRequestKey } from './mail-request.keys.ts'
import { type MailRequests, tryingSeconds } from './mail-request.ts'

/** Writes requests for mail. In its own file, so that functions that only request mail bundle no code of the queue. */
export const openMailRequests = (table: Table): MailRequests => ({
  request: (request) => {
    // Well after the last attempt, which reads the request.
    const expiresAt = secondsAfter(new Date(request.at), 2 * tryingSeconds(request))
    const expiresAtSeconds = unixSeconds(expiresAt)
    return table.put(
      { ...mailRequestKey(request.id), kind: 'mail-request', ...request, expiresAtSeconds },
      { when: 'absent' },
    )
  },
  commit: table.commit,
})

/** The store of requests for mail, as a dependency of functions. */
export const mailRequests = onTable(openMailRequests, { writes: ['MAIL'] })
