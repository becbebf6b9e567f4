import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as auditLedger } from '#functions/jobs/audit-ledger'
import { spec as reconcilePayments } from '#functions/jobs/reconcile-payments'
import { spec as retryMails } from '#functions/jobs/retry-mails'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { openBooks } from '#lib/ledger/books.dynamo'
import { postingKey } from '#lib/ledger/ledger.keys'
import { MailRefused } from '#lib/mail/mailer'
import { describedAlarms } from '#test/support/alarms'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy } from '#test/support/mail'
import { aPayment, paid, played, reads, success, unknownPayment } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

// What the alarms watch is what functions write: CloudWatch takes a metric of another name, namespace or dimension for
// one that was never measured, and its alarm for well.

const STAGE = 'test'
const WATCHED = describedAlarms()
  .filter(({ Namespace }) => Namespace === 'PlatformApi')
  .map(({ Namespace: namespace, MetricName: name, Dimensions }) => ({
    name,
    namespace,
    dimensions: Object.fromEntries(
      Dimensions.map(({ Name, Value }) => [Name, Value.replace('${sls:stage}', STAGE)]),
    ),
  }))

type Line = {
  _aws?: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] }
}

const lines: (Line & Record<string, unknown>)[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(`${line}`))
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

/** The metrics in the written lines, as CloudWatch reads the embedded metric format. */
const written = () =>
  lines.flatMap((line) =>
    (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) =>
      Metrics.filter(({ Name }) => typeof line[Name] === 'number').map(({ Name }) => ({
        name: Name,
        namespace: Namespace,
        dimensions: Object.fromEntries((Dimensions[0] ?? []).map((name) => [name, line[name]])),
      })),
    ),
  )

const watched = (name: string) => WATCHED.filter((metric) => metric.name === name)

const table = testTable()

const WRITING: Record<string, () => Promise<unknown>> = {
  InvalidSignature: () => {
    const forged = fromGateway('payment.succeeded', {})
    return deliver({ ...forged, rawBody: `${forged.rawBody} ` })
  },
  UnconfirmedCallback: () => {
    const event = success(unknownPayment())
    const providers = played({
      verify: () => 'unsigned',
      interpret: () => [event],
      readPayment: reads(async () => []),
    })
    return deliver({ provider: 'played', headers: {}, rawBody: '{}' }, { providers })
  },
  LedgerFault: async () => {
    const payment = await aPayment(await aUser())
    await paid(payment)
    const id = PaymentId.parse(payment.id)
    const [posting] = await openBooks(table).postings(id)
    const key = postingKey(id, posting?.version ?? 0, `${posting?.object} EUR`)
    await table.commit([TABLE_WRITES.update(key, { set: { lines: [{ account: 'provider:x', amount: 1 }] } })])
    lines.length = 0
    await runJob(auditLedger)
  },
  OldestDuePayment: () => runJob(reconcilePayments),
  OldestDueMail: () => runJob(retryMails),
  MailDelay: () => mailing(async () => undefined),
  MailFailed: () => mailing(async () => Promise.reject(new Error('450 busy'))),
  MailGivenUp: () => mailing(async () => Promise.reject(new MailRefused('550 no such user'))),
}

/** Asks for a mail, and sends it by this mailer. */
async function mailing(send: () => Promise<void>): Promise<void> {
  const { token } = await aUser()
  await mailedBy(requestVerification, { token }, { mailer: { send } })
}

it('Every metric of our own that an alarm watches is written by a test below.', () => {
  expect(WATCHED.map(({ name }) => name).sort()).toEqual(Object.keys(WRITING).sort())
})

it('A refused callback is counted by its provider too, and named in its log line.', async () => {
  const forged = fromGateway('payment.succeeded', {})
  await deliver({ ...forged, rawBody: `${forged.rawBody} ` })
  expect(lines).toContainEqual(
    expect.objectContaining({
      Provider: 'standard-webhooks',
      InvalidSignature: 1,
      _aws: expect.objectContaining({
        CloudWatchMetrics: [expect.objectContaining({ Dimensions: [['Stage'], ['Stage', 'Provider']] })],
      }),
    }),
  )
})

it.each(Object.entries(WRITING))(
  '%s is written as its alarm watches it, in a silent log too.',
  async (name, write) => {
    await write()
    expect(written()).not.toEqual([])
    for (const metric of written()) expect([metric]).toEqual(watched(name))
  },
)
