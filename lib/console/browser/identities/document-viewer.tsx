import { useState } from 'preact/hooks'
import type { Schema } from '../api/schemas.ts'
import { Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

const ZOOM_MAX = 6

/**
 * Returns the size of a picture: without zoom it just fits its stage. A picture turned on its side has width and height
 * exchanged, and the margins bring it back to the middle.
 */
const sizeOf = (zoom: number, isOnSide: boolean) =>
  isOnSide
    ? {
        width: `${zoom * 100}cqh`,
        height: `${zoom * 100}cqw`,
        marginInlineStart: `calc(${zoom * 50}cqw - ${zoom * 50}cqh)`,
        marginBlockStart: `calc(${zoom * 50}cqh - ${zoom * 50}cqw)`,
      }
    : { width: `${zoom * 100}cqw`, height: `${zoom * 100}cqh`, margin: 0 }

/** A document, to zoom, to move while it is zoomed, and to turn. */
export function DocumentViewer({ document }: { document: Schema<'KycReviewDocument'> }) {
  const [zoom, setZoom] = useState(1)
  const [turns, setTurns] = useState(0)
  const { type, contentType, url, createdAt } = document
  const isPicture = url !== null && contentType.startsWith('image/')
  const title = codes.documentType[type]
  const nearer = () => setZoom((now) => Math.min(ZOOM_MAX, now * 1.5))
  const farther = () => setZoom((now) => Math.max(1, now / 1.5))
  return (
    <figure class="document">
      <figcaption>
        <b>{title}</b> <Time at={createdAt} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a zoomed picture is moved by the arrow keys */}
      <section class="stage" tabIndex={0} aria-label={title}>
        {isPicture ? (
          <img
            src={url}
            alt={title}
            style={{ ...sizeOf(zoom, turns % 2 === 1), transform: `rotate(${turns * 90}deg)` }}
          />
        ) : (
          <p class="empty">{words.identities.notShown}</p>
        )}
      </section>
      <div class="buttons">
        {isPicture && (
          <>
            <button
              type="button"
              aria-label={words.identities.zoomIn}
              title={words.identities.zoomIn}
              onClick={nearer}
            >
              +
            </button>
            <button
              type="button"
              aria-label={words.identities.zoomOut}
              title={words.identities.zoomOut}
              onClick={farther}
            >
              −
            </button>
            <button
              type="button"
              aria-label={words.identities.turn}
              title={words.identities.turn}
              onClick={() => setTurns((now) => now + 1)}
            >
              ↻
            </button>
          </>
        )}
        {url !== null && (
          <a class="button" href={url} target="_blank" rel="noreferrer">
            {words.identities.download}
          </a>
        )}
      </div>
    </figure>
  )
}
