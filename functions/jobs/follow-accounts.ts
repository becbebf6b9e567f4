import { accountStore } from '#lib/accounts/account-store.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { withFollowers } from '#lib/payment-requests/followers'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { erasedStores } from '#lib/privacy/erased-stores.dynamo'
import { followAccount } from '#lib/privacy/follow-account'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary:
    'Changes other records after an account is deleted, reclaimed by the owner of its address, or allowed or forbidden to publish',
  deps: {
    ...erasedStores,
    accounts: accountStore.only('get', 'getMany', 'requireUnchanged', 'commit'),
    enquiries: enquiryStore.only(
      'get',
      'messages',
      'ofUser',
      'replace',
      'countRequests',
      'remove',
      'removeMessage',
      'eraseMessage',
      'commit',
    ),
    reports: reportStore.only('get', 'between', 'byUser', 'replace', 'remove', 'anonymize', 'commit'),
    deletions: deletions.only('markErased'),
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => followAccount(withFollowers(deps), item),
})
