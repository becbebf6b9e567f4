import { type Answer, api, ask } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'

/** Reads a listing as administrators see it, with the version that a decision is conditional on. */
export async function readListing(id: string): Promise<Answer<Schema<'Listing'>>> {
  const { value, etag } = await ask(api.GET('/listings/{id}', { params: { path: { id } } }))
  if (!('revision' in value)) throw new Error('The API answered as it answers customers')
  return { value, etag }
}
