import { expect, it } from 'vitest'
import { spec as rebuildMedia } from '#functions/jobs/rebuild-media'
import type { Walked } from '#lib/administration/walk-lists'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { OriginalName } from '#lib/media/store/media-links'
import { originalStore } from '#lib/media/store/original-store.s3'
import { testTable } from '#test/support/corpus'
import { floorPlans } from '#test/support/files'
import { anAgent } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, listingOf } from '#test/support/listings'
import { delivered, processed } from '#test/support/media'
import { jpeg } from '#test/support/pictures'

it('Floor plans that are older than their pages are drawn, and nothing else is rendered again.', async () => {
  const agent = await anAgent()
  const id = await aListing(agent.id, { status: 'DRAFT' })
  const [plan] = await processed(id, agent.token, [floorPlans(2), jpeg()])
  const listing = await listingOf(id)
  if (!listing || !plan) throw new Error('gone')
  const media = listing.media.map((item) => (item.id === plan.id ? { ...item, variants: [] } : item))
  const listings = openListings(testTable())
  await listings.commit([listings.replace(listing, { ...listing, media, version: listing.version + 1 })])

  const told: unknown[] = []
  const originals = {
    retell: async (name: OriginalName, type: string) => {
      told.push([name, type])
      await originalStore.make().retell(name, type)
    },
  }
  const run = () => runJob<Walked>(rebuildMedia, { originals })
  expect(await run()).toMatchObject({ isDone: true, changed: 1 })
  expect(told).toEqual([[{ listingId: id, mediaId: plan.id }, 'application/pdf']])

  expect(await delivered(id, plan.id)).toMatchObject([{ outcome: 'READY' }])
  expect((await listingOf(id))?.media[0]?.variants.map(({ page }) => page)).toEqual([1, 2])
  expect(await run()).toMatchObject({ isDone: true, changed: 0 })
})
