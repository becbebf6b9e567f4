import { accountStore } from '#lib/accounts/account-store.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { erasedStores } from '#lib/privacy/erased-stores.dynamo'
import { followAccount } from '#lib/privacy/follow-account'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary: 'Carries out the consequences of a change of eligibility, a take-back or the end of an account',
  deps: {
    ...erasedStores,
    accounts: accountStore.only('get', 'getMany', 'requireUnchanged', 'requireExisting', 'commit'),
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
    deletions: deletions.only('markErased'),
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => followAccount(deps, item),
})
