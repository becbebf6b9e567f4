import { counter } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { auditLedger } from '#lib/payments/upkeep/audit-ledger'

export const { spec, handler } = job({
  name: 'auditLedger',
  summary:
    'Tests the ledger of every payment that has changed against its facts, and reports what does not agree',
  deps: { payments: paymentStore, now: clock, count: counter },
  run: (_event, deps) => auditLedger(deps),
})
