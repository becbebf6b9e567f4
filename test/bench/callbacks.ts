import { readFileSync } from 'node:fs'
import { startFaultyDynamo } from '#test/support/faulty-dynamo'
import { startFunctionStack } from '#test/support/function-stack'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

// `npm run bench -- callbacks`: callbacks through the whole stack of their function, fifty at a time, against a local
// DynamoDB on the same machine. First as many payments as callbacks, then a thousand copies of one event, which
// must make one transition and no 5xx. In the end a proxy holds the items of each transaction, as the real DynamoDB
// does: its figure of the processor includes the proxy. Never in `npm test`.

const PAYMENTS = 2_000
const COPIES = 1_000
const HELD = 1_000
const AT_ONCE = 50
const HOLD_MILLISECONDS = 25

const stack = await startFunctionStack()
const faulty = await startFaultyDynamo(stack.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '')

const MILLISECONDS_A_TICK = 10

/** What the local DynamoDB has used of the processor, in milliseconds: by itself and in the kernel. */
function usedByDatabase(): number {
  const stat = readFileSync(`/proc/${stack.databaseProcessId}/stat`, 'utf8')
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) * MILLISECONDS_A_TICK
}

try {
  Object.assign(process.env, stack.environment, { LOG_LEVEL: 'silent' })
  // Loaded only now: they read the environment that has just been set.
  const [{ handler }, { httpEvent }, { openTable }, { openPayments }, { openPayment }, { newId }, signing] =
    await Promise.all([
      import('#functions/payments/payment-callback'),
      import('#test/support/call'),
      import('#lib/dynamo/table'),
      import('#lib/payments/payment-store.dynamo'),
      import('#lib/payments/state/payment'),
      import('#lib/kernel/id'),
      import('#lib/kernel/signatures'),
    ])
  const table = openTable(process.env['TABLE_NAME'] ?? '')
  const payments = openPayments(table)

  const aPayment = async () => {
    const request = {
      provider: 'standard-webhooks',
      amount: 12_550,
      currency: 'EUR',
      purpose: 'rent',
      listingId: null,
      phone: null,
      returnUrl: null,
      metadata: null,
    } as const
    const payment = openPayment(newId('payment'), newId('user'), request, new Date())
    await payments.commit(payments.insert(payment))
    return payment
  }

  /** A signed callback that says a payment was paid. */
  const paid = ({ id: reference, amount, currency }: Awaited<ReturnType<typeof aPayment>>) => {
    const data = { reference, id: `txn_${reference}`, amount, currency }
    const message = { type: 'payment.succeeded', timestamp: new Date().toISOString(), data }
    const rawBody = Buffer.from(JSON.stringify(message))
    const sent = { id: `msg_${reference}`, sentAtSeconds: Math.floor(Date.now() / 1000), rawBody }
    return httpEvent('POST /payments/callback/{provider}', {
      params: { provider: 'standard-webhooks' },
      headers: signing.signStandardWebhook([stack.webhookSecret], sent),
      rawBody: rawBody.toString(),
    })
  }

  /** Delivers callbacks, fifty at a time, and says how long each took and how it was answered. */
  const deliver = async (events: ReturnType<typeof paid>[]) => {
    const times: number[] = []
    const statuses = new Map<number, number>()
    const waiting = events.values()
    const startedAt = performance.now()
    const usedBefore = process.cpuUsage()
    const databaseBefore = usedByDatabase()
    const worker = async () => {
      for (const event of waiting) {
        const sentAt = performance.now()
        const { statusCode = 0 } = await handler(event, LAMBDA_CONTEXT)
        times.push(performance.now() - sentAt)
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const { user, system } = process.cpuUsage(usedBefore)
    const cpu = (user + system) / 1_000 / times.length
    const databaseCpu = (usedByDatabase() - databaseBefore) / times.length
    return {
      times: times.sort((a, b) => a - b),
      statuses,
      cpu,
      databaseCpu,
      took: performance.now() - startedAt,
    }
  }

  const report = (
    what: string,
    { times, statuses, cpu, databaseCpu, took }: Awaited<ReturnType<typeof deliver>>,
  ) => {
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    console.log(
      `${what}: ${Math.round((times.length / took) * 1000)} callbacks/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, CPU ${cpu.toFixed(2)} ms each and ${databaseCpu.toFixed(2)} of the database; ${answers}`,
    )
  }

  const opened = async (count: number) => {
    const made: Awaited<ReturnType<typeof aPayment>>[] = []
    while (made.length < count) made.push(...(await Promise.all(Array.from({ length: 20 }, aPayment))))
    return made
  }

  await deliver((await opened(200)).map(paid))
  report(`${PAYMENTS} payments, ${AT_ONCE} at a time`, await deliver((await opened(PAYMENTS)).map(paid)))
  const alone = (await opened(200)).map(paid)
  const times: number[] = []
  for (const event of alone) {
    const sentAt = performance.now()
    await handler(event, LAMBDA_CONTEXT)
    times.push(performance.now() - sentAt)
  }
  times.sort((a, b) => a - b)
  console.log(`one after the other: p50 ${times[100]?.toFixed(1)} ms, p99 ${times[197]?.toFixed(1)} ms`)

  const payment = await aPayment()
  const event = paid(payment)
  report(`${COPIES} copies of one event`, await deliver(Array.from({ length: COPIES }, () => event)))
  const { items } = await table.query({ partition: `PAYMENT#${payment.id}`, beginsWith: 'MOVE#' })
  console.log(`they made ${items.length} transition${items.length === 1 ? '' : 's'}`)

  const held = (await opened(HELD)).map(paid)
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = faulty.endpoint
  const noFault = { seed: 1, lostAnswers: 0, throttles: 0, lagMilliseconds: 0 }
  faulty.make({ ...noFault, holdMilliseconds: HOLD_MILLISECONDS })
  report(`${HELD} payments, transactions of ${HOLD_MILLISECONDS} ms`, await deliver(held))
  console.log(`${(faulty.counts.conflicts / HELD).toFixed(1)} conflicts each`)
} finally {
  await faulty.stop()
  await stack.stop()
}
