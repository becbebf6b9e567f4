import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { changeEvents } from '#lib/listings/moves/move-listing'
import { isLive } from './change-media.ts'

/** Returns the events of a change of media: none unless the listing is published or suspended. */
export const mediaEvents = ({ newId }: { newId: NewId }, seen: Listing, next: Listing): Write[] =>
  isLive(seen) ? changeEvents(newId, seen, next) : []
