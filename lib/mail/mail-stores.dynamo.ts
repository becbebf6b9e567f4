import { mailQueue } from './mail-queue.dynamo.ts'
import { suppressionList } from './suppression.dynamo.ts'

/** The stores for sending mail, and for handling its bounces and complaints. */
export const mailStores = {
  mails: mailQueue.only('get', 'progress', 'commit'),
  suppressions: suppressionList.only('get', 'lift'),
}
