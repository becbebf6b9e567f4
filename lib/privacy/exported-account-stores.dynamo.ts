import { apiKeyStore } from '#lib/accounts/api-keys/api-key-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { statusDecisions } from '#lib/accounts/status-decisions.dynamo'

/** What an export reads of an account beside its record. */
export const exportedAccountStores = {
  sessions: sessionStore,
  statuses: statusDecisions,
  factors: factorStore,
  apiKeys: apiKeyStore,
}
