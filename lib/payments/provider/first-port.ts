import type * as z from 'zod'
import type { Statement } from '#lib/payments/fact'
import type {
  KnownPayment,
  PaymentOrder,
  PaymentProvider,
  PaymentQuestion,
  PaymentReading,
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

/** Defines a provider of the first edition's port, as one of the present port. */
export const defineFirstProvider = <Schema extends z.ZodObject>(definition: {
  config: Schema
  open: (config: z.output<Schema>, tools: ProviderTools) => FirstProvider
}): ProviderDefinition => ({
  config: definition.config,
  open: (config, tools) => inPresentPort(definition.open(definition.config.parse(config), tools)),
})

function inPresentPort({ ask, refund, findsRefunds: _, cancel, ...same }: FirstProvider): PaymentProvider {
  return {
    ...same,
    ...(ask && {
      readPayment: async (question) => {
        const { payment, references: names } = question
        const pointer = { eventId: '', type: 'payment', references: [...names], statement: null }
        const events = await ask({ ...question, claim: payment ? null : pointer })
        const statements = events.flatMap(({ statement }) => statement ?? [])
        const references = events.flatMap((event) => event.references)
        if (events.length === 0) return null
        return readingOf(statements, question.payment ? [...references, question.payment.id] : references)
      },
    }),
    ...(refund && { startRefund: (order) => refund({ ...order, id: order.id }) }),
    ...(cancel && { close: (payment) => cancel(payment).then(() => true) }),
  }
}

function readingOf(statements: Statement[], references: string[]): PaymentReading {
  const of = <Kind extends Statement['kind']>(...kinds: Kind[]) =>
    statements.filter((each): each is Extract<Statement, { kind: Kind }> =>
      kinds.some((kind) => kind === each.kind),
    )
  return {
    references: [...new Set(references)],
    charges: of('succeeded', 'processing', 'failed', 'cancelled', 'expired'),
    refunds: of('refund'),
    disputes: of('dispute'),
  }
}
