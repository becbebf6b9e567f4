/** The same journeys with a second generator, which names a function for each operation. Compiled, not run. */
import * as api from './generated/client.ts'

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

export async function tour(admin: string, photograph: Blob): Promise<string | undefined> {
  const { user, accessToken } = await api.register({
    email: 'awa@example.com',
    password: 'a quiet harbour at dusk',
    name: 'Awa Koné',
  })
  const own = bearer(accessToken)
  await api.putAgentProfile({ displayName: 'Awa Immobilier', languages: ['fr'] }, own)
  await api.setKycStatus({ userId: user.id, kycStatus: 'VERIFIED' }, {}, bearer(admin))
  // @ts-expect-error: there is no such status
  await api.setKycStatus({ userId: user.id, kycStatus: 'PERHAPS' }, {}, bearer(admin))
  const { id } = await api.createListing(
    { offer: 'rent', category: 'house', price: { amount: 450_000, currency: 'XOF' } },
    { idempotencyKey: 'tour-1' },
    own,
  )
  await api.uploadMedia(id, { file: [photograph] }, own)
  await api.submitListing(id, own)
  await api.moderateListing(id, { status: 'PUBLISHED' }, { ifMatch: '"1"' }, bearer(admin))
  const { items } = await api.searchListings({ near: '5.32,-4.02', radiusKm: 5, offer: 'rent' })
  // @ts-expect-error: a filter that is not known would be refused
  await api.searchListings({ colour: 'blue' })
  return items[0]?.title ?? undefined
}

export async function pay(token: string, listingId: string): Promise<string | null | undefined> {
  const draft = {
    provider: 'sandbox',
    amount: 450_000,
    currency: 'XOF',
    purpose: 'deposit',
    listingId,
  } as const
  // @ts-expect-error: asking twice would pay twice, so a key is demanded
  await api.createPayment(draft)
  const { checkout } = await api.createPayment('tour-2', draft, bearer(token))
  return checkout?.url
}

export async function morning(admin: string): Promise<void> {
  const { items } = await api.listKycReviews({ limit: 100 }, bearer(admin))
  const waiting = items.find(({ documentCount }) => documentCount > 0)
  if (!waiting) return
  const { documents } = await api.getKycReview(waiting.userId, bearer(admin))
  const note = documents[0]?.url ?? null
  await api.setKycStatus(
    { userId: waiting.userId, kycStatus: 'REJECTED', reasons: ['other'], note },
    {},
    bearer(admin),
  )
}
