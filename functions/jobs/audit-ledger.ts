import { counter } from '#lib/http/count'
import { job } from '#lib/http/job'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { auditLedger } from '#lib/payments/upkeep/audit-ledger'
import { auditPlace } from '#lib/payments/upkeep/audit-place.dynamo'

export const { spec, handler } = job({
  name: 'auditLedger',
  summary: 'Reckons the ledger up against the payments and reports what does not balance',
  deps: { payments: paymentStore, place: auditPlace, count: counter },
  run: (_event, deps) => auditLedger(deps),
})
