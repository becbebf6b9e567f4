import { mailQueue } from './mail-queue.dynamo.ts'
import { suppressionList } from './suppression.dynamo.ts'

/** The stores for sending mail: its queue, and the suppressions, which a mail sent again by an administrator lifts. */
export const mailStores = {
  mails: mailQueue.only('get', 'progress', 'commit'),
  suppressions: suppressionList.only('get', 'lift'),
}
