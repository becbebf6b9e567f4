import { readdirSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { newId, type PaymentId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import type { PaymentInFull } from '#lib/payments/lists/administered-payment'
import { reconcilePayment } from '#lib/payments/reconcile/reconcile-payment'
import { attemptAfter } from '#lib/payments/state/attempt'
import { withAttempt, withFacts } from '#lib/payments/state/payment'
import { providerHttp } from '#lib/providers/http'
import { uuidOf } from '#lib/providers/kit/api'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { aCustomer } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { moneyStores } from '#test/support/money-stores'
import { UNCOUNTED } from '#test/support/payments'
import { SETTINGS, testProviders } from '#test/support/providers'
import { type StandIn, type StandInRequest, startStandIn } from '#test/support/stand-in'
import { testTable } from '#test/support/test-table'
import { type Conversation, ID, NOW, type ProviderExample, REFUND } from './example.ts'

const names = readdirSync(new URL('./examples', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
const examples = await Promise.all(
  names.map(async (name): Promise<[string, Conversation]> => {
    const { example }: { example: ProviderExample } = await import(`./examples/${name}.ts`)
    return [name, example.conversation]
  }),
)

let user: GivenUser
let token: string
let api: StandIn
beforeAll(async () => {
  user = await aCustomer()
  token = await consoleToken()
})
afterEach(() => api.close())

/** Our ids as providers write them: some have letters of their own before the number. */
const PAYMENT = /pay[_-]([0-9A-HJKMNP-TV-Z]{26})/
const numberOf = (id: string): string => id.slice('pay_'.length)

/** An account whose API answers as its provider documents, about whichever payment of ours it is asked about. */
async function documented(account: string, name: string, { script }: Conversation): Promise<Providers> {
  let own = numberOf(ID)
  const answer = ({ method, path, body }: StandInRequest) => {
    own = PAYMENT.exec(path + body)?.[1] ?? own
    const uuid = uuidOf(`pay_${own}`)
    const asked = path.replaceAll(own, numberOf(ID)).replaceAll(uuid, uuidOf(ID))
    const found = script[`${method} ${asked}`]
    if (found === undefined) return undefined
    const text = JSON.stringify(found).replaceAll(numberOf(ID), own).replaceAll(uuidOf(ID), uuid)
    const said: { status?: unknown; json?: unknown } = JSON.parse(text)
    return typeof said?.status === 'number' ? { status: said.status, json: said.json } : { json: said }
  }
  api = await startStandIn(answer)
  const settings = { [account]: { ...SETTINGS[name], provider: name, apiBase: api.url } }
  return testProviders(settings, { http: providerHttp, now: () => NOW })
}

const depsOf = (providers: Providers) =>
  withFollowers({
    ...moneyStores(testTable()),
    providers,
    newId,
    now: () => NOW,
  })

const READING = { isReadable: true, listsLate: false }
/** The second attempt at the refund that the examples hold: its key is theirs. */
const ATTEMPT = {
  ...attemptAfter(attemptAfter(undefined, READING, NOW), READING, NOW),
  state: 'unknown',
} as const

/** A payment that was just started, and is known by all the ids which its callbacks would have named. */
async function started(account: string, name: string, conversation: Conversation) {
  const { amount, currency, references, url } = conversation
  const providers = await documented(account, name, conversation)
  const body = { provider: account, purpose: 'fee', amount, currency, phone: '+254708374149' }
  const made = await call(createPayment, { token: user.token, body, deps: { ...DEPS, providers } })
  expect(made).toMatchObject({ status: 201, body: { checkout: { url } } })
  const { id }: { id: PaymentId } = made.body
  const deps = depsOf(providers)
  const payment = await deps.payments.get(id)
  if (!payment) throw new Error('The payment is gone')
  const own = references.map((each) => each.replaceAll(uuidOf(ID), uuidOf(id)))
  const known = withAttempt(withFacts(payment, [], own), REFUND, ATTEMPT)
  await deps.payments.commit(deps.payments.save(payment, { ...known, version: payment.version + 1 }))
  return { payment: known, deps }
}

const DEPS = { phonePromptCounters: UNCOUNTED, now: () => NOW }

describe('a payment', () => {
  it.each(examples.filter(([, { reading }]) => reading))(
    'holds every money object that its provider documents, once it is reconciled: %s',
    async (name, conversation) => {
      const { amount, currency, reading = {} } = conversation
      const { payment, deps } = await started(name, name, conversation)
      const entry = { id: payment.id, dueAt: payment.dueAt ?? '' }
      const faults: unknown[] = []
      const reportFault = (fault: unknown) => void faults.push(fault)
      const due = { entry, payment: await deps.payments.get(payment.id), delayMinutes: 0, reportFault }
      expect(await reconcilePayment(deps, due).then((end) => [end, ...faults])).toEqual(['moved'])
      const { body } = await call(getPaymentInFull, { token, params: { id: payment.id } })
      const { charges, refunds, disputes, ledger, callbacks }: z.infer<typeof PaymentInFull> = body
      expect(charges).toMatchObject(reading.charges?.map(() => ({ amount, currency })) ?? [])
      expect(refunds).toHaveLength(reading.refunds?.length ?? 0)
      expect(disputes).toHaveLength(reading.disputes?.length ?? 0)
      expect(ledger.reduce((sum, entry) => sum + entry.amount, 0)).toBe(0)
      expect(callbacks).toEqual([])
    },
  )

  it.each(examples.filter(([, { close }]) => close))(
    'has its page closed when its payer gives it up: %s',
    async (name, conversation) => {
      const script = { ...conversation.script, ...conversation.close?.unpaid }
      const { payment, deps } = await started(`${name}-given-up`, name, { ...conversation, script })
      const params = { id: payment.id }
      const { providers } = deps
      const cancelled = await call(cancelPayment, { token: user.token, params, deps: { ...DEPS, providers } })
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
      const { method, at } = conversation.close ?? {}
      const closing = api.requests.filter(
        (request) => request.method === method && request.path.replaceAll(payment.id, ID) === at,
      )
      expect(closing).not.toEqual([])
      expect(await deps.payments.get(payment.id)).toMatchObject({ isPageClosed: true })
    },
  )
})
