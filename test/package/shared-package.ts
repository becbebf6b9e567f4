import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import * as z from 'zod'
import { type Packaged, readPackaged } from './packaged.ts'

/** How long the first that asks may wait. */
export const PACKAGING_MILLISECONDS = 6 * 60_000

const Answer = z.union([z.object({ copy: z.string() }), z.object({ failure: z.string() })])

/** What the service's package holds. It is made once for all files of a run, for the first of them that asks. */
export async function sharedPackage(): Promise<Packaged> {
  const url = inject('packagingUrl')
  const answer = await new Promise<string>((resolve, reject) => {
    get(url, (response) => text(response).then(resolve, reject)).once('error', reject)
  })
  const made = Answer.parse(JSON.parse(answer))
  if ('failure' in made) throw new Error(made.failure)
  return readPackaged(made.copy)
}
