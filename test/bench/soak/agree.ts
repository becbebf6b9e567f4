import { setTimeout as wait } from 'node:timers/promises'
import { type Checkout, Checkout as CheckoutSchema } from '#lib/local/sandbox/sandbox-store'
import type { Caller } from './client.ts'
import { CITY } from './lives.ts'
import type { Agent, Model, ModelEnquiry, ModelPayment, Person } from './model.ts'

const TRIES = 20
const PAUSE_MILLISECONDS = 1_000

type Deps = { url: string; model: Model; administrator: Caller; note: (finding: string) => void }
type Read = <Body>(path: string, by?: Caller) => Promise<Body>
type Page<Item> = { items: Item[]; nextCursor: string | null; total?: number }

/** What the provider says of a payment by its page, and what the service must show of it. */
type PaidOut = { agentId: string; amount: number; status: string }
type ShownPayment = {
  status: string
  amount: number
  amountPaid: number
  amountRefunded: number
  amountDisputed: number
}

/** Compares what the service shows with the model and with the provider's truth. Notes each difference. */
export async function expectAgreement({ url, model, administrator, note }: Deps): Promise<void> {
  const read: Read = async (path, by) => {
    const get = async () =>
      fetch(`${url}${path}`, { headers: by ? { authorization: await by.authorization() } : {} })
    let answer = await get()
    for (let tries = 0; !answer.ok && tries < TRIES; tries += 1) {
      if (answer.status === 401) await by?.renew()
      else await wait(PAUSE_MILLISECONDS)
      answer = await get()
    }
    if (!answer.ok) throw new Error(`GET ${path} answers ${answer.status} ${await answer.text()}`)
    return JSON.parse(await answer.text())
  }
  const readAll = async <Item>(path: string, by?: Caller): Promise<Item[]> => {
    const items: Item[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<Item> = await read(
        `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        by,
      )
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return items
  }
  const expectSame = (what: string, shown: unknown, expected: unknown) => {
    const [is, be] = [JSON.stringify(shown), JSON.stringify(expected)]
    if (is !== be) note(`${what}: ${is}, should be ${be}`)
  }

  await expectSearch()
  for (const agent of model.agents) await expectListings(agent)
  for (const [person, saved] of model.favourites) await expectFavourites(person, [...saved])
  for (const enquiry of model.enquiries) await expectEnquiry(enquiry)
  const truths = new Map<ModelPayment, Checkout>()
  for (const payment of model.payments) truths.set(payment, await expectPayment(payment))
  const payouts = await readAll<PaidOut>('/admin/payouts', administrator)
  for (const agent of model.agents) await expectBalance(agent, truths, payouts)
  for (const person of model.people) await expectNotifications(person)
  await expectOverview()
  await expectEvents()

  async function expectSearch() {
    const shown = await readAll<{ id: string }>(`/listings?city=${CITY}`)
    const published = model.listings.filter(({ status }) => status === 'PUBLISHED').map(({ id }) => id)
    expectSame('listings that a search finds', shown.map(({ id }) => id).sort(), published.sort())
    const { total } = await read<{ total: number }>(`/listings/facets?city=${CITY}`)
    expectSame('total of the facets', total, published.length)
  }

  async function expectListings(agent: Agent) {
    const { counts } = await read<{ counts: Record<string, number> }>('/auth/profile/listings/counts', agent)
    for (const [status, count] of Object.entries(counts))
      expectSame(
        `${status} listings of ${agent.id}`,
        count,
        agent.listings.filter((listing) => listing.status === status).length,
      )
    for (const { id, status } of agent.listings) {
      const shown = await read<{ status: string }>(`/listings/${id}`, agent)
      expectSame(`status of ${id}`, shown.status, status)
    }
  }

  async function expectFavourites(person: Person, saved: { id: string }[]) {
    const shown = await readAll<{ listing: { id: string } }>('/favourites', person)
    expectSame(
      `favourites of ${person.id}`,
      shown.map(({ listing }) => listing.id).sort(),
      saved.map(({ id }) => id).sort(),
    )
  }

  async function expectEnquiry({ id, customer, messages }: ModelEnquiry) {
    const shown = await read<{ messages: { items: unknown[] } }>(`/enquiries/${id}?limit=100`, customer)
    expectSame(`messages of ${id}`, shown.messages.items.length, messages)
  }

  async function expectPayment({ id, page }: ModelPayment): Promise<Checkout> {
    const answer = await fetch(page, { headers: { accept: 'application/json' } })
    const truth = CheckoutSchema.parse(await answer.json())
    const shown = await read<ShownPayment>(`/admin/payments/${id}`, administrator)
    const { statuses, paid, refunded, disputed } = shouldShow(truth)
    if (!statuses.includes(shown.status))
      note(`status of ${id}: ${shown.status}, should be ${statuses.join(' or ')}: ${JSON.stringify(truth)}`)
    expectSame(`what was paid of ${id}`, shown.amountPaid, paid)
    expectSame(`what was refunded of ${id}`, shown.amountRefunded, refunded)
    expectSame(`what is disputed of ${id}`, shown.amountDisputed, disputed)
    return truth
  }

  async function expectBalance(
    agent: Agent,
    truths: ReadonlyMap<ModelPayment, Checkout>,
    payouts: readonly PaidOut[],
  ) {
    const earned = [...truths].reduce((sum, [{ listing }, truth]) => {
      const { paid, refunded, disputed } = shouldShow(truth)
      return sum + (listing.agent === agent ? paid - refunded - disputed : 0)
    }, 0)
    const gone = payouts
      .filter(({ agentId, status }) => agentId === agent.id && !['FAILED', 'CANCELLED'].includes(status))
      .reduce((sum, { amount }) => sum + amount, 0)
    const { items } = await read<{ items: { pending: number; available: number }[] }>(
      '/auth/profile/balance',
      agent,
    )
    const shown = items.reduce((sum, { pending, available }) => sum + pending + available, 0)
    expectSame(`balance of ${agent.id}`, shown, earned - gone)
  }

  async function expectNotifications(person: Person) {
    const { unreadCount } = await read<{ unreadCount: number }>('/notifications', person)
    const items = await readAll<{ readAt: string | null }>('/notifications', person)
    expectSame(
      `unread notifications of ${person.id}`,
      unreadCount,
      items.filter(({ readAt }) => readAt === null).length,
    )
  }

  async function expectOverview() {
    const { waiting } = await read<{ waiting: { listings: { count: number } } }>(
      '/admin/overview',
      administrator,
    )
    const pending = model.listings.filter(({ status }) => status === 'PENDING_REVIEW').length
    expectSame('listings that wait in the overview', waiting.listings.count, pending)
  }

  async function expectEvents() {
    const events = await readAll<{ type: string; subject: string; data: { to?: string } }>(
      '/admin/events',
      administrator,
    )
    const ids = (type: string, to?: string) =>
      events
        .filter((event) => event.type === type && (!to || event.data.to === to))
        .map(({ subject }) => subject)
    const own = model.people.map(({ id }) => id).sort()
    expectSame('events of registrations', ids('user.registered').sort(), own)
    const published = model.listings.filter(({ status }) => ['PUBLISHED', 'ARCHIVED'].includes(status))
    expectSame(
      'events of publications',
      ids('listing.status_changed', 'PUBLISHED').sort(),
      published.map(({ id }) => id).sort(),
    )
    expectSame(
      'events of enquiries',
      ids('enquiry.created').sort(),
      model.enquiries.map(({ id }) => id).sort(),
    )
  }
}

/** What a payment must show, by the provider's own records. */
function shouldShow({ state, amount, refunds, disputed, disputeOutcome }: Checkout) {
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  if (state !== 'paid') {
    const statuses = {
      open: ['EXPIRED', 'CANCELLED'],
      failed: ['FAILED', 'EXPIRED', 'CANCELLED'],
      cancelled: ['CANCELLED'],
      closed: ['EXPIRED', 'CANCELLED', 'FAILED'],
    }[state]
    return { statuses, paid: 0, refunded: 0, disputed: 0 }
  }
  const isTaken = disputed && disputeOutcome !== 'won'
  const unmoved = refunded === 0 ? 'SUCCEEDED' : refunded < amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  const status = isTaken ? (disputeOutcome === 'lost' ? 'CHARGED_BACK' : 'DISPUTED') : unmoved
  return { statuses: [status], paid: amount, refunded, disputed: isTaken ? amount - refunded : 0 }
}
