import { createHash, randomUUID } from 'node:crypto'
import type { Agent } from './accounts.ts'
import { formWith, planForm, text } from './form.ts'
import type { Stage } from './stage.ts'

const LISTING = {
  offer: 'rent',
  category: 'house',
  title: 'House by the lagoon',
  description: 'Three bedrooms, a terrace and the water at the door.',
  price: { amount: 450_000, currency: 'XOF' },
  location: { country: 'CI', city: 'Abidjan', lat: 5.3261, lng: -4.0197 },
  bedrooms: 3,
}

/** A listing from its draft until customers find it; answers with its id. */
export async function list({ ask, run, consoleToken }: Stage, { token }: Agent): Promise<string> {
  const listing = await ask('POST /listings', { token, body: LISTING })
  const params = { id: text(listing, 'id') }
  const plan = await ask('POST /listings/{id}/media', { token, params, body: planForm() })
  await run('processMedia', arrived(`originals/${params.id}/${text(plan, 'items', '0', 'id')}`))
  const form = await formWith({ caption: 'From the water' })
  const uploaded = await ask('POST /listings/{id}/media', { token, params, body: form })
  const mediaId = text(uploaded, 'items', '0', 'id')
  await run('processMedia', arrived(`originals/${params.id}/${mediaId}`))
  const waiting = await ask('POST /listings/{id}/media/uploads', { token, params, body: promise() })
  const captions = { [mediaId]: 'From the lagoon' }
  await ask('PATCH /listings/{id}/media', { token, params, body: { captions } })
  await ask('DELETE /listings/{id}/media/{mediaId}', {
    token,
    params: { ...params, mediaId: text(waiting, 'media', 'id') },
  })
  await ask('PATCH /listings/{id}', { token, params, body: { bedrooms: 4 } })
  await ask('POST /listings/{id}/submit', { token, params })
  await ask('GET /admin/listings', { token: consoleToken })
  await ask('PATCH /listings/{id}/moderate', {
    token: consoleToken,
    params,
    body: { status: 'PUBLISHED' },
  })
  await ask('GET /listings', { query: { offer: 'rent' } })
  await ask('GET /listings/{id}', { params })
  await ask('GET /listings/{id}/history', { token, params })
  await ask('GET /auth/profile/listings', { token })
  const another = await ask('POST /listings', { token, body: LISTING })
  await ask('DELETE /listings/{id}', { token, params: { id: text(another, 'id') } })
  return params.id
}

/** A message of S3's notification that an object has arrived. */
const arrived = (key: string) => {
  const notification = { Records: [{ eventName: 'ObjectCreated:Put', s3: { object: { key } } }] }
  const attributes = { ApproximateReceiveCount: '1' }
  return { Records: [{ messageId: randomUUID(), attributes, body: JSON.stringify(notification) }] }
}

/** A picture that is to be put into the bucket and never is. */
const promise = () => ({
  contentType: 'image/jpeg',
  bytes: 200_000,
  sha256: createHash('sha256').update(randomUUID()).digest('hex'),
})
