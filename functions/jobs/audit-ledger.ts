import { counter } from '#lib/http/count'
import { job } from '#lib/http/job'
import { auditLedger } from '#lib/payments/audit-ledger'
import { auditPlace } from '#lib/payments/audit-place.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'auditLedger',
  summary: 'Reckons the ledger up against the payments and reports what does not balance',
  deps: { payments: paymentStore, place: auditPlace, count: counter },
  run: (_event, deps) => auditLedger(deps),
})
