/** The README's journeys, as a front end writes them with `openapi-typescript` and `openapi-fetch`. Compiled, not run. */
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/api.ts'

type Card = Pick<components['schemas']['ListingCard'], 'id' | 'title' | 'price'>

const api = createClient<paths, `application/${string}json`>({ baseUrl: 'http://localhost:3000' })
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export async function tour(admin: string, photograph: Blob): Promise<string | undefined> {
  const { data: awa, error } = await api.POST('/auth/register', {
    body: { email: 'awa@example.com', password: 'a quiet harbour at dusk', name: 'Awa Koné' },
  })
  if (error) throw new Error(`${error.code}: ${error.detail}`)
  const headers = bearer(awa.accessToken)
  await api.PUT('/auth/profile/agent', {
    headers,
    body: { displayName: 'Awa Immobilier', languages: ['fr'] },
  })
  await api.PATCH('/auth/kyc', {
    headers: bearer(admin),
    body: { userId: awa.user.id, kycStatus: 'VERIFIED' },
  })
  await api.PATCH('/auth/kyc', {
    headers: bearer(admin),
    // @ts-expect-error: there is no such status
    body: { userId: awa.user.id, kycStatus: 'PERHAPS' },
  })

  const { data: listing } = await api.POST('/listings', {
    headers,
    params: { header: { 'Idempotency-Key': 'tour-1' } },
    body: {
      offer: 'rent',
      category: 'house',
      price: { amount: 450_000, currency: 'XOF' },
      location: { country: 'CI', city: 'Abidjan' },
    },
  })
  const path = { id: listing?.id ?? '' }
  await api.POST('/listings/{id}/media', {
    headers,
    params: { path },
    body: { file: ['house.jpg'] },
    bodySerializer: () => {
      const form = new FormData()
      form.append('file', photograph)
      return form
    },
  })
  await api.POST('/listings/{id}/submit', { headers, params: { path } })
  await api.PATCH('/listings/{id}/moderate', {
    headers: bearer(admin),
    params: { path, header: { 'If-Match': '"1"' } },
    body: { status: 'PUBLISHED' },
  })
  return (await find())?.[0]?.id
}

async function find(): Promise<Card[] | undefined> {
  const { data } = await api.GET('/listings', {
    params: { query: { near: '5.32,-4.02', radiusKm: 5, offer: 'rent' } },
  })
  // @ts-expect-error: a filter that is not known would be refused
  await api.GET('/listings', { params: { query: { colour: 'blue' } } })
  return data?.items
}

export async function pay(token: string, listingId: string): Promise<string | null | undefined> {
  const body = {
    provider: 'sandbox',
    amount: 450_000,
    currency: 'XOF',
    purpose: 'deposit',
    listingId,
  } as const
  const { data } = await api.POST('/payments', {
    headers: bearer(token),
    params: { header: { 'Idempotency-Key': 'tour-2' } },
    body,
  })
  // @ts-expect-error: asking twice would pay twice, so a key is demanded
  await api.POST('/payments', { headers: bearer(token), body })
  return data?.checkout?.url
}

export async function morning(admin: string): Promise<void> {
  const headers = bearer(admin)
  const { data: queue } = await api.GET('/admin/kyc', { headers, params: { query: { limit: 100 } } })
  const waiting = queue?.items.find(({ documentCount }) => documentCount > 0)
  if (!waiting) return
  const params = { path: { userId: waiting.userId } }
  const { data: review } = await api.GET('/admin/kyc/{userId}', { headers, params })
  await api.PATCH('/auth/kyc', {
    headers,
    body: {
      userId: waiting.userId,
      kycStatus: 'REJECTED',
      reasons: ['document_type_not_accepted'],
      note: review?.documents[0]?.url ?? null,
    },
  })
}
