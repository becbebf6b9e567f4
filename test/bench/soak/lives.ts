import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { DEMO_AGENTS } from '#lib/local/demo/demo-data'
import { PICTURE } from '#test/fuzz/make-request'
import { PASSWORD } from '#test/fuzz/make-values'
import type { Random } from '#test/fuzz/random'
import type { Answer, Caller, Client } from './client.ts'
import type { Agent, Model, ModelListing, Person } from './model.ts'

export const CITY = 'Soakville'

type LifeDeps = {
  url: string
  client: Client
  model: Model
  random: Random
  administrator: Caller
  note: (finding: string) => void
}

const Session = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  user: z.object({ id: z.string() }),
})
type Session = z.infer<typeof Session>

const Pictured = z.object({ media: z.array(z.object({ status: z.string() })).default([]) })
const Begun = z.object({ checkout: z.object({ url: z.string() }).nullable() })
const Fields = z.record(z.string(), z.unknown())

const WAIT_MILLISECONDS = 1_000
const WAITS_MAX = 240
const WAITS_FOR_MAIL = 60
const LINKS_MAX = 4
/** Of payers and of what banks do afterwards. */
const CLICKS = [
  'pay',
  'pay',
  'pay',
  'pay',
  'pay',
  'pay',
  'deliver-twice',
  'deliver-late',
  'fail',
  'cancel',
  'none',
]
const AFTERWARDS = ['none', 'none', 'none', 'refund', 'dispute', 'win', 'lose']
/** Limits of one person, met by chance. */
const LIMITED = ['too_many_requests', 'draft_limit_reached', 'open_payment_limit_reached']

/** Plays one life, drawn by chance, and records in the model what is known to have been done. */
export async function playLife(deps: LifeDeps): Promise<void> {
  const { random, model } = deps
  const published = model.listings.filter(({ status }) => status === 'PUBLISHED')
  if (published.length < 5 || random.chance(0.1)) return playAgent(deps)
  if (random.chance(0.3)) return playCustomer(deps, random.pick(published))
  if (random.chance(0.1)) return playAdministrator(deps)
  return playVisitor(deps, random.pick(published))
}

async function playVisitor({ client, random }: LifeDeps, { id, agent }: ModelListing): Promise<void> {
  const looks = [
    {
      route: 'GET /listings',
      query: `?city=${CITY}&currency=EUR&sort=${random.pick(['newest', 'price', '-area'])}`,
    },
    { route: 'GET /listings', query: '?q=lagoon&bedrooms=2' },
    { route: 'GET /listings/facets', query: `?city=${CITY}` },
    { route: 'GET /listings/map', query: '?bbox=-8,3,-2,8&zoom=8' },
    { route: 'GET /places', query: '?q=soak' },
    { route: 'GET /agents/{userId}', id: agent.id },
    { route: 'GET /listings/{id}', id, mayRefuse: ['not_found'] },
    { route: 'POST /listings/{id}/views', id, mayRefuse: ['not_found', ...LIMITED] },
    { route: 'GET /openapi.json' },
  ]
  for (let count = 0; count < 6; count += 1) await client.send(random.pick(looks))
}

async function playAdministrator({ client, administrator: by, random }: LifeDeps): Promise<void> {
  const looks = [
    '/admin/overview',
    '/admin/listings',
    '/admin/payments',
    '/admin/users',
    '/admin/events',
    '/admin/ledger',
  ]
  for (let count = 0; count < 3; count += 1) await client.send({ route: `GET ${random.pick(looks)}`, by })
}

async function playAgent(deps: LifeDeps): Promise<void> {
  const { client, model, random, administrator } = deps
  const person = await openPerson(deps)
  if (!person) return
  const agent: Agent = Object.assign(person, { listings: [] })
  await client.send({ route: 'PUT /auth/profile/agent', by: agent, body: { displayName: 'Kofi Immobilier' } })
  await client.send({
    route: 'PATCH /auth/kyc',
    by: administrator,
    body: { userId: agent.id, kycStatus: 'VERIFIED' },
    isDone: async () =>
      fieldOf(await client.send({ route: 'GET /auth/kyc', by: agent }), 'kycStatus') === 'VERIFIED',
  })
  await client.send({
    route: 'PUT /auth/profile/payout-account',
    by: agent,
    body: {
      method: 'bank',
      country: 'FR',
      currency: 'EUR',
      holder: 'Kofi Mensah',
      iban: 'FR1420041010050500013M02606',
    },
    mayRefuse: ['step_up_required'],
  })
  model.agents.push(agent)
  for (let count = random.below(3) + 1; count > 0; count -= 1) await playListing(deps, agent)
}

async function playListing(deps: LifeDeps, agent: Agent): Promise<void> {
  const { client, model, random, administrator } = deps
  const [demo] = DEMO_AGENTS.flatMap(({ listings }) => listings)
  const draft = {
    ...demo?.draft,
    price: { amount: 50_000 + random.below(100_000), currency: 'EUR' },
    location: { country: 'CI', city: CITY, lat: 5.3, lng: -4 },
  }
  const created = await client.send({
    route: 'POST /listings',
    by: agent,
    body: draft,
    isKeyed: true,
    mayRefuse: LIMITED,
  })
  if (!created) return
  const id = fieldOf(created, 'id')
  const listing: ModelListing = { id, agent, status: 'DRAFT', users: 1 }
  model.listings.push(listing)
  agent.listings.push(listing)
  const shown = () => client.send({ route: 'GET /listings/{id}', id, by: agent })
  const stands = (status: string) => async () => fieldOf(await shown(), 'status') === status
  await client.send({ route: 'PATCH /listings/{id}', id, by: agent, body: { bedrooms: random.below(6) } })
  if (random.chance(0.05)) return
  const form = new FormData()
  form.append('file', new Blob([PICTURE, `${random.below(2 ** 31)}`]), 'house.jpg')
  await client.send({ route: 'POST /listings/{id}/media', id, by: agent, body: form, mayRefuse: LIMITED })
  const isReady = await holds(async () => {
    const { media } = Pictured.parse((await shown())?.body ?? {})
    return media.length > 0 && media.every(({ status }) => status !== 'PROCESSING')
  })
  if (!isReady) return deps.note(`the pictures of ${id} do not get ready`)
  const submitted = await client.send({
    route: 'POST /listings/{id}/submit',
    id,
    by: agent,
    isDone: stands('PENDING_REVIEW'),
  })
  if (!submitted) return
  listing.status = 'PENDING_REVIEW'
  if (random.chance(0.05)) return
  const isGood = random.chance(0.9)
  const decided = await client.send({
    route: 'PATCH /listings/{id}/moderate',
    id,
    by: administrator,
    body: isGood ? { status: 'PUBLISHED' } : { status: 'REJECTED', reasons: ['poor_media'] },
    isDone: stands(isGood ? 'PUBLISHED' : 'REJECTED'),
  })
  if (!decided) return
  listing.status = isGood ? 'PUBLISHED' : 'REJECTED'
  if (isGood && random.chance(0.1)) {
    const archived = await client.send({
      route: 'DELETE /listings/{id}',
      id,
      by: agent,
      isDone: stands('ARCHIVED'),
    })
    if (archived) listing.status = 'ARCHIVED'
  }
  listing.users -= 1
}

async function playCustomer(deps: LifeDeps, listing: ModelListing): Promise<void> {
  const { client, model, random } = deps
  const customer = await openPerson(deps)
  if (!customer) return
  const favourites = new Set<ModelListing>()
  model.favourites.set(customer, favourites)
  const others = model.listings.filter(({ status, users }) => status === 'PUBLISHED' && users === 0)
  for (const other of new Set([listing, ...others.slice(-2)])) {
    const saved = await client.send({
      route: 'PUT /favourites/{listingId}',
      id: other.id,
      by: customer,
      mayRefuse: ['not_found'],
    })
    if (saved) favourites.add(other)
  }
  if (random.chance(0.3))
    await client.send({
      route: 'POST /saved-searches',
      by: customer,
      isKeyed: true,
      body: {
        name: 'Near the water',
        filters: { city: CITY, maxPrice: 60_000, currency: 'EUR' },
        alert: 'instant',
      },
    })
  const asked = await client.send({
    route: 'POST /listings/{id}/enquiries',
    id: listing.id,
    by: customer,
    isKeyed: true,
    body: { message: 'Is it free?' },
    mayRefuse: ['not_found', ...LIMITED],
  })
  if (!asked) return
  const id = fieldOf(asked, 'id')
  const enquiry = { id, listing, customer, messages: 1 }
  model.enquiries.push(enquiry)
  for (const [by, text] of [
    [listing.agent, 'It is.'],
    [customer, 'May I see it?'],
    [listing.agent, 'Tomorrow.'],
  ] as const) {
    const sent = await client.send({
      route: 'POST /enquiries/{id}/messages',
      id,
      by,
      isKeyed: true,
      body: { text },
      mayRefuse: LIMITED,
    })
    if (sent) enquiry.messages += 1
  }
  await client.send({ route: 'GET /enquiries/{id}', id, by: listing.agent })
  await client.send({ route: 'GET /notifications', by: listing.agent })
  if (random.chance(0.7)) await playPayment(deps, { enquiryId: id, listing, customer })
}

type Deal = { enquiryId: string; listing: ModelListing; customer: Person }

async function playPayment(deps: LifeDeps, { enquiryId, listing, customer }: Deal): Promise<void> {
  const { client, model, random, administrator } = deps
  const request = await client.send({
    route: 'POST /listings/{id}/payment-requests',
    id: listing.id,
    by: listing.agent,
    isKeyed: true,
    body: { enquiryId, purpose: 'rent', amount: 10_000 + random.below(90_000) },
    mayRefuse: ['listing_not_available', ...LIMITED],
  })
  if (!request) return
  const begun = await client.send({
    route: 'POST /payments',
    by: customer,
    isKeyed: true,
    body: { provider: 'sandbox', paymentRequestId: fieldOf(request, 'id') },
    mayRefuse: ['listing_not_available', ...LIMITED],
  })
  if (!begun) return
  const id = fieldOf(begun, 'id')
  const { checkout } = Begun.parse(begun.body)
  if (!checkout) return deps.note(`the payment ${id} has no page`)
  model.payments.push({ id, listing, page: checkout.url })
  const click = async (action: string) =>
    action !== 'none' &&
    fetch(checkout.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action }) })
  await click(random.pick(CLICKS))
  if (random.chance(0.1))
    await client.send({
      route: 'POST /payments/{id}/cancel',
      id,
      by: customer,
      mayRefuse: ['payment_not_cancellable', 'payment_transition_not_allowed'],
    })
  const isPaid = () => client.send({ route: 'GET /payments/{id}', id, by: customer })
  for (let looks = 0; looks < 5 && fieldOf(await isPaid(), 'status') !== 'SUCCEEDED'; looks += 1)
    await wait(WAIT_MILLISECONDS)
  const afterwards = random.pick(AFTERWARDS)
  if (afterwards === 'refund')
    await client.send({
      route: 'POST /payments/{id}/refunds',
      id,
      by: administrator,
      isKeyed: true,
      body: random.chance(0.5) ? { amount: 1_000, reason: 'Keys late' } : { reason: 'Fell through' },
      mayRefuse: ['payment_not_refundable', 'payment_transition_not_allowed', 'refund_exceeds_payment'],
    })
  else if (afterwards !== 'none') {
    await click('dispute')
    await click(afterwards)
  }
  if (random.chance(0.3))
    await client.send({
      route: 'POST /admin/payouts',
      by: administrator,
      isKeyed: true,
      body: { agentId: listing.agent.id, currency: 'EUR' },
      mayRefuse: ['payout_exceeds_balance', 'payout_account_missing'],
    })
}

/** A person whose address is proven, with a session that is renewed. */
async function openPerson({ url, client, model, random, note }: LifeDeps): Promise<Person | undefined> {
  const email = `${random.below(2 ** 31).toString(36)}-${model.people.length}@example.com`
  let session: Session | undefined
  const signIn = async () => {
    const answer = await client.send({ route: 'POST /auth/login', body: { email, password: PASSWORD } })
    session = Session.safeParse(answer?.body).data ?? session
    return answer !== undefined
  }
  const registered = await client.send({
    route: 'POST /auth/register',
    body: { email, password: PASSWORD, name: 'Kofi Mensah' },
    isDone: signIn,
  })
  session ??= Session.safeParse(registered?.body).data
  if (!session) return undefined
  let renewing: Promise<void> | undefined
  const renew = async () => {
    const refreshed = await client.send({
      route: 'POST /auth/refresh',
      body: { refreshToken: session?.refreshToken },
      mayRefuse: ['invalid_refresh_token'],
    })
    if (refreshed && session) Object.assign(session, refreshed.body)
    else await signIn()
  }
  const person: Person = {
    id: session.user.id,
    email,
    authorization: async () => `Bearer ${session?.accessToken}`,
    renew: () => {
      renewing ??= renew().finally(() => {
        renewing = undefined
      })
      return renewing
    },
  }
  model.people.push(person)
  const token = await mailedToken(url, person, client)
  if (token === undefined) return void note(`no mail comes to ${email}`)
  const isProven = await client.send({ route: 'POST /auth/email/verify', body: { token } })
  return isProven && person
}

/** The token of the mailed link. A link that was asked for before the clock jumped may not have been sent: another is. */
async function mailedToken(url: string, person: Person, client: Client): Promise<string | undefined> {
  let token: string | undefined
  const hasCome = async () => {
    const mails = await fetch(`${url}/local/mail?to=${encodeURIComponent(person.email)}`)
    const { items } = (await mails.json()) as { items: { text: string }[] }
    token = items.flatMap(({ text }) => /[?&]token=([\w.-]+)/.exec(text)?.[1] ?? [])[0]
    return token !== undefined
  }
  for (let asked = 0; asked < LINKS_MAX && !(await holds(hasCome, WAITS_FOR_MAIL)); asked += 1)
    await client.send({ route: 'POST /auth/email/verification', by: person })
  return token
}

const fieldOf = (answer: Answer | undefined, name: string): string =>
  `${Fields.safeParse(answer?.body).data?.[name]}`

async function holds(condition: () => Promise<boolean>, waitsMax = WAITS_MAX): Promise<boolean> {
  for (let waits = 0; waits < waitsMax; waits += 1) {
    if (await condition()) return true
    await wait(WAIT_MILLISECONDS)
  }
  return false
}
