import { useState } from 'preact/hooks'
import type { Schema } from '../api/schemas.ts'
import { useKeys } from '../app/keys.ts'
import { MarkedContacts } from '../parts/marked-contacts.tsx'
import { Picture } from '../parts/picture.tsx'
import { Section } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'
import { FIELDS, fieldText, placeText, priceText } from './listing-texts.ts'

type Listing = Schema<'Listing'>

/** A listing as customers will see it. */
export function Preview({ listing }: { listing: Listing }) {
  const { description, features, media } = listing
  const facts = [
    codes.offer[listing.offer],
    codes.category[listing.category],
    ...FIELDS.filter((field) => typeof listing[field] === 'number').map(
      (field) => `${codes.listingField[field]}: ${fieldText(listing, field)}`,
    ),
  ]
  return (
    <Section title={words.listings.preview}>
      <Gallery of={media} />
      <p class="price">{priceText(listing)}</p>
      <p dir="auto">{placeText(listing.location)}</p>
      <p class="quiet">{facts.join(' · ')}</p>
      <p class="description" dir="auto">
        <MarkedContacts>{description ?? ''}</MarkedContacts>
      </p>
      {features.length > 0 && (
        <p class="tags" dir="auto">
          {features.map((feature) => (
            <span key={feature} class="tag">
              <MarkedContacts>{feature}</MarkedContacts>
            </span>
          ))}
        </p>
      )}
    </Section>
  )
}

/** Pictures, one large and all small; the arrow keys show the next. */
function Gallery({ of }: { of: readonly Schema<'Media'>[] }) {
  const [chosen, choose] = useState(0)
  const shown = of[Math.min(chosen, of.length - 1)]
  const step = (by: number) => choose((now) => (now + by + of.length) % Math.max(1, of.length))
  useKeys([
    { keys: 'ArrowRight', does: `${words.listings.media} →`, run: () => step(1) },
    { keys: 'ArrowLeft', does: `${words.listings.media} ←`, run: () => step(-1) },
  ])
  if (shown === undefined) return <p class="empty">{words.listings.noMedia}</p>
  return (
    <div class="gallery">
      <figure>
        {shown.kind === 'video' && shown.url !== null ? (
          // biome-ignore lint/a11y/useMediaCaption: an agent's film comes without captions
          <video src={shown.url} controls />
        ) : (
          <Picture of={shown} size="full" alt={shown.caption ?? words.listings.media} />
        )}
        <figcaption dir="auto">
          <MarkedContacts>{shown.caption ?? ''}</MarkedContacts>{' '}
          <span class="quiet">{shown.status === 'READY' ? null : shown.status}</span>
        </figcaption>
      </figure>
      {of.length > 1 && (
        <div class="thumbs">
          {of.map((media, index) => (
            <button
              key={media.id}
              type="button"
              aria-pressed={media === shown}
              aria-label={`${words.listings.media} ${index + 1}`}
              onClick={() => choose(index)}
            >
              <Picture of={media} size="thumb" />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
