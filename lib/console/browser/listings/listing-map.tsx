import { useState } from 'preact/hooks'
import type { Schema } from '../api/schemas.ts'
import { words } from '../words/words.ts'
import { placeText } from './listing-texts.ts'
import { LAND_PATH } from './outlines.ts'

const WIDTH_DEGREES = 360
const HEIGHT_TO_WIDTH = 0.45
/** Keeps the point as large on the screen at every zoom. */
const POINT_TO_WIDTH = 1 / 90
const ZOOM_MAX = 64
/** The degrees of a grid with a line every ten degrees. */
const LINES = Array.from({ length: 37 }, (_, line) => line * 10 - 180)

/** The place of a listing on an outline of the coasts that needs no other host: coarse, but land differs from sea. */
export function ListingMap({ location }: { location: Schema<'Listing'>['location'] }) {
  const [zoom, setZoom] = useState(8)
  const { lat, lng } = location ?? {}
  if (location === null || lat == null || lng == null) return <p class="empty">{words.listings.noPlace}</p>
  const width = WIDTH_DEGREES / zoom
  const height = width * HEIGHT_TO_WIDTH
  return (
    <figure class="map">
      {/* SVG counts downwards, so that a place is at y = -lat. */}
      <svg
        viewBox={`${lng - width / 2} ${-lat - height / 2} ${width} ${height}`}
        role="img"
        aria-label={`${placeText(location)} · ${lat}, ${lng}`}
      >
        <path class="land" d={LAND_PATH} />
        {LINES.map((at) => (
          <path key={at} class="line" d={`M${at} -90V90M-180 ${at}H180`} />
        ))}
        <circle class="point" cx={lng} cy={-lat} r={width * POINT_TO_WIDTH} />
      </svg>
      <figcaption>
        <span dir="auto">{placeText(location)}</span>{' '}
        <code>
          {lat}, {lng}
        </code>
        <span class="buttons">
          <button
            type="button"
            aria-label={words.identities.zoomIn}
            onClick={() => setZoom((now) => Math.min(ZOOM_MAX, now * 2))}
          >
            +
          </button>
          <button
            type="button"
            aria-label={words.identities.zoomOut}
            onClick={() => setZoom((now) => Math.max(1, now / 2))}
          >
            −
          </button>
        </span>
      </figcaption>
    </figure>
  )
}
