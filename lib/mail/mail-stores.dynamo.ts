import { mailQueue } from './mail-queue.dynamo.ts'
import { suppressionList } from './suppression.dynamo.ts'

/** The stores of functions that send mail or follow its fate. */
export const mailStores = {
  mails: mailQueue.only('get', 'progress', 'commit'),
  suppressions: suppressionList.only('get', 'lift'),
}
