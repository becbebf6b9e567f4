import type { Schema } from '../api/schemas.ts'
import { Differences, differencesBetween } from '../parts/differences.tsx'
import { Picture } from '../parts/picture.tsx'
import { Section } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import { fieldTexts, revised } from './listing-texts.ts'

type Listing = Schema<'Listing'>
type Changes = NonNullable<Listing['revision']>['changes']

/** What a published listing's agent wants to change, field by field, with the pictures that come or change words. */
export function Revision({ listing, changes }: { listing: Listing; changes: Changes }) {
  const fields = differencesBetween(fieldTexts(listing), fieldTexts(revised(listing, changes)))
  const captions = Object.entries(changes.captions ?? {}).map(([id, caption]) => ({
    field: words.listings.media,
    before: listing.media.find((media) => media.id === id)?.caption ?? '',
    after: caption ?? '',
  }))
  const added = listing.media.filter(({ id }) => changes.media?.includes(id))
  return (
    <Section title={words.listings.revisionTitle}>
      {(fields.length > 0 || captions.length > 0) && (
        <Differences of={[...fields, ...captions]} label={words.listings.revisionTitle} />
      )}
      {added.length > 0 && (
        <>
          <h3>
            {words.listings.media}: {words.listings.added}
          </h3>
          <div class="thumbs">
            {added.map((media) => (
              <Picture key={media.id} of={media} size="card" alt={media.caption ?? ''} />
            ))}
          </div>
        </>
      )}
    </Section>
  )
}
