import type * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { Statement } from '#lib/payments/fact'
import type {
  KnownPayment,
  PaymentOrder,
  PaymentProvider,
  PaymentQuestion,
  ProviderDefinition,
  ProviderEvent,
  ProviderTools,
  RefundOrder,
  StartedPayment,
  StartedRefund,
} from './provider.ts'

/** What a provider of the first edition's port is asked to tell of. */
export type Question = PaymentQuestion & { claim: ProviderEvent | null; isDryRun?: boolean }

type Replaced = 'start' | 'close' | 'readPayment' | 'capture' | 'startRefund'

/** The port of the first edition: it goes when its last provider has been converted. */
export type FirstProvider = Omit<PaymentProvider, Replaced> & {
  start: (order: PaymentOrder) => Promise<StartedPayment>
  ask?: (question: Question) => Promise<ProviderEvent[]>
  refund?: (order: RefundOrder) => Promise<StartedRefund>
  findsRefunds?: boolean
  cancel?: (payment: KnownPayment) => Promise<void>
}

/** A definition of the first edition's port. */
export type FirstDefinition = {
  config: z.ZodObject
  onlyAt?: string
  openFirst: (config: unknown, tools: ProviderTools) => FirstProvider
}

/** Defines a provider of the first edition's port. */
export const defineFirstProvider = <Schema extends z.ZodObject>(definition: {
  config: Schema
  open: (config: z.output<Schema>, tools: ProviderTools) => FirstProvider
}): FirstDefinition => ({
  config: definition.config,
  openFirst: (config, tools) => definition.open(definition.config.parse(config), tools),
})

/** Any definition as the first edition's port. */
export const asFirst = (definition: ProviderDefinition | FirstDefinition): FirstDefinition =>
  'openFirst' in definition
    ? definition
    : {
        config: definition.config,
        openFirst: (config, tools) => inFirstPort(definition.open(config, tools), tools),
      }

function inFirstPort(provider: PaymentProvider, { now }: ProviderTools): FirstProvider {
  const { start, close, readPayment, capture, startRefund, ...same } = provider
  const read = async (question: PaymentQuestion, isDryRun = false) => {
    const reading = await readPayment?.(question)
    if (!reading?.awaitsCapture || !question.payment || question.payment.status === 'CANCELLED' || isDryRun)
      return reading
    await capture?.(question.payment)
    return readPayment?.(question)
  }
  return {
    ...same,
    start: async (order) => {
      const started = await start(order)
      if ('refused' in started)
        throw new DomainError('provider_unavailable', { cause: started.refused.message })
      return started
    },
    ...(close && { cancel: async (payment) => void (await close(payment)) }),
    ...(readPayment && {
      findsRefunds: true,
      ask: async (question) => {
        const reading = await read(question, question.isDryRun)
        const { charges = [], refunds = [], disputes = [], references = [] } = reading ?? {}
        const { payment } = question
        const known = payment ? [payment.id, ...payment.references] : references
        if (!references.some((reference) => known.includes(reference))) return []
        return [...charges, ...refunds, ...disputes].map((statement) => ({
          eventId: ['read', ...identityOf(statement)].join(':'),
          type: `asked.${statement.kind}`,
          references,
          statement,
        }))
      },
    }),
    ...(startRefund && {
      refund: async (order) => {
        const { references } = order.payment
        const reading = await readPayment?.({
          payment: order.payment,
          references: [order.payment.id, ...references],
        })
        const earlier = reading?.refunds.find(({ refundId }) => refundId === order.id)
        if (earlier) return { state: earlier.state, providerRefundId: earlier.providerRefundId }
        const [charge] = reading?.charges.flatMap((each) => ('chargeId' in each ? [each.chargeId] : [])) ?? []
        return startRefund({ ...order, key: order.id, chargeId: charge ?? null })
      },
    }),
  }

  function identityOf(statement: Statement): unknown[] {
    if (statement.kind === 'succeeded')
      return [statement.kind, statement.chargeId, statement.money?.amount, statement.money?.currency]
    if (statement.kind === 'refund') {
      return [statement.kind, statement.providerRefundId, statement.state, statement.money?.amount]
    }
    if (statement.kind === 'dispute')
      return [statement.kind, statement.disputeId, statement.state, timestamp(now())]
    return [statement.kind]
  }
}
