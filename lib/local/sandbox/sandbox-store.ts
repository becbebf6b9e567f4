import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { Money } from '#lib/kernel/money'
import { sha256 } from '#lib/kernel/signatures'

const LIFETIME_SECONDS = DAY_SECONDS

export const CheckoutRequest = Money.extend({
  reference: z.string().min(1).max(255),
  returnUrl: z.url({ protocol: /^https?$/ }).nullable(),
})
export type CheckoutRequest = z.infer<typeof CheckoutRequest>

const CheckoutId = z.string().regex(/^sbx_[0-9a-f]{24}$/)

/** A checkout and what has been clicked on it. */
export const Checkout = CheckoutRequest.extend({
  id: CheckoutId,
  /** `closed`: by the service, once the payment had ended without success. */
  state: z.enum(['open', 'failed', 'cancelled', 'closed', 'paid']),
  /** The second charge, if the payer has paid again. The first one has the id of the checkout. */
  secondCharge: z.object({ id: z.string(), amount: z.int() }).nullable().default(null),
  refunded: z.int().min(0),
  /**
   * Every refund, by the page or by the service. The same id twice is one refund. `chargeId` is null for the first
   * charge.
   */
  refunds: z
    .array(z.object({ id: z.string(), amount: z.int(), chargeId: z.string().nullable().default(null) }))
    .default([]),
  disputed: z.boolean(),
  /** The result of the dispute; null while no dispute ended. */
  disputeOutcome: z.enum(['won', 'lost']).nullable().default(null),
  expiresAt: Timestamp,
  /** The callbacks that were sent, each with the service's answer. */
  deliveries: z.array(z.object({ type: z.string(), answer: z.string(), at: Timestamp })),
})
export type Checkout = z.infer<typeof Checkout>

/** Opens the checkouts of a local stack, one file each, so that they survive a restart as the payments do. */
export function openCheckouts(directory: string) {
  const fileOf = (id: string) => join(directory, `${id}.json`)
  const get = async (id: string): Promise<Checkout | undefined> => {
    if (!CheckoutId.safeParse(id).success) return undefined
    const text = await readFile(fileOf(id), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : Checkout.parse(JSON.parse(text))
  }
  const put = async (checkout: Checkout): Promise<Checkout> => {
    await mkdir(directory, { recursive: true })
    const draft = `${fileOf(checkout.id)}.${process.hrtime.bigint()}`
    await writeFile(draft, JSON.stringify(checkout, null, 2))
    await rename(draft, fileOf(checkout.id))
    return checkout
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    get,
    /**
     * Changes a checkout; of two simultaneous changes one waits and sees the result of the other. Returns the change;
     * undefined for an unknown checkout, or if `make` returned none.
     */
    change: <Change extends { next: Checkout }>(
      id: string,
      make: (checkout: Checkout) => Change | undefined,
    ): Promise<Change | undefined> => {
      const made = turn.then(async () => {
        const checkout = await get(id)
        const change = checkout && make(checkout)
        if (change) await put(change.next)
        return change
      })
      turn = made.catch(() => undefined)
      return made
    },
    /** Returns the checkout of a reference, and opens it if there is none. */
    open: async (request: CheckoutRequest): Promise<Checkout> => {
      const id = `sbx_${sha256(request.reference).slice(0, 24)}`
      const expiresAt = timestamp(secondsAfter(new Date(), LIFETIME_SECONDS))
      const fresh: Checkout = {
        ...request,
        id,
        state: 'open',
        secondCharge: null,
        refunded: 0,
        refunds: [],
        disputed: false,
        disputeOutcome: null,
        expiresAt,
        deliveries: [],
      }
      return (await get(id)) ?? put(fresh)
    },
  }
}
