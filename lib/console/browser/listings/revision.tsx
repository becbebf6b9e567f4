import type { ComponentChildren } from 'preact'
import type { Schema } from '../api/schemas.ts'
import { Differences, differencesBetween, Pieces } from '../parts/differences.tsx'
import { Picture } from '../parts/picture.tsx'
import { Section } from '../parts/text.tsx'
import { wordDifferences } from '../parts/word-differences.ts'
import { words } from '../words/words.ts'
import { fieldTexts, withRevision } from './listing-texts.ts'

type Listing = Schema<'Listing'>
type Changes = NonNullable<Listing['revision']>['changes']
type Props = { listing: Listing; changes: Changes }

/** The changes that an agent wants of a published listing: word by word, and its pictures before and after. */
export function Revision({ listing, changes }: Props) {
  const fields = differencesBetween(fieldTexts(listing), fieldTexts(withRevision(listing, changes)))
  const hasPictures = (changes.media ?? []).length > 0 || Object.keys(changes.captions ?? {}).length > 0
  return (
    <Section title={words.listings.revisionTitle}>
      {fields.length > 0 && <Differences of={fields} label={words.listings.revisionTitle} />}
      {hasPictures && <Pictures listing={listing} changes={changes} />}
    </Section>
  )
}

/** The pictures before and after. A listing's media already hold the pictures that its revision adds. */
function Pictures({ listing: { media }, changes }: Props) {
  const isAdded = (id: string) => changes.media?.includes(id) ?? false
  return (
    <div class="pictures">
      <Strip title={words.common.before}>
        {media
          .filter(({ id }) => !isAdded(id))
          .map((one) => (
            <Figure key={one.id} of={one} caption={one.caption} other={captionAfter(one, changes)} as="del" />
          ))}
      </Strip>
      <Strip title={words.common.after}>
        {media.map((one) => (
          <Figure
            key={one.id}
            of={one}
            caption={captionAfter(one, changes)}
            other={one.caption}
            as="ins"
            isAdded={isAdded(one.id)}
          />
        ))}
      </Strip>
    </div>
  )
}

const captionAfter = ({ id, caption }: Schema<'Media'>, { captions }: Changes): string | null =>
  captions !== undefined && id in captions ? (captions[id] ?? null) : caption

const Strip = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section aria-label={`${words.listings.media}: ${title}`}>
    <h3>
      {words.listings.media}: {title}
    </h3>
    <div class="thumbs">{children}</div>
  </section>
)

type FigureProps = {
  of: Schema<'Media'>
  caption: string | null
  /** The caption on the other side: the words that it lacks are marked. */
  other: string | null
  as: 'del' | 'ins'
  isAdded?: boolean
}

function Figure({ of, caption, other, as, isAdded = false }: FigureProps) {
  // An added picture is marked as a whole. Its caption is compared with itself, so that no word is marked.
  const { before: ownPieces } = wordDifferences(caption ?? '', isAdded ? (caption ?? '') : (other ?? ''))
  return (
    <figure class={isAdded ? 'added' : ''}>
      <Picture of={of} size="card" alt={caption ?? words.listings.media} />
      <figcaption dir="auto">
        {isAdded && <ins>{words.listings.added}</ins>} <Pieces of={ownPieces} as={as} />
      </figcaption>
    </figure>
  )
}
