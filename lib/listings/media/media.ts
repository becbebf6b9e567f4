import * as z from 'zod'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { type ListingId, MediaId, type NewId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'
import { FileKind } from '#lib/media/file-kind'
import { VariantFacts } from '#lib/media/render/variant'
import type { OriginalName } from '#lib/media/store/media-links'

/** The most media a listing may have. */
export const MEDIA_MAX = 40

/** A caption of a picture. */
export const Caption = text({ max: 300 })

const MediaStatus = z.enum(['PROCESSING', 'READY', 'REJECTED']).meta({ example: 'READY' })

/** The reason why an item is REJECTED. */
export const MediaReason = z.enum([
  'upload_expired',
  'size_mismatch',
  'checksum_mismatch',
  'type_mismatch',
  'unreadable',
  'too_many_pixels',
  'took_too_long',
  'processing_failed',
])
export type MediaReason = z.infer<typeof MediaReason>

/** A re-encoded picture: upright, without metadata. `hash` is of its bytes, and its name in S3. */
export const Variant = VariantFacts.extend({ hash: z.string().meta({ example: 'm3VbC2…' }) })
export type Variant = z.infer<typeof Variant>

const MediaFacts = z.object({
  id: MediaId,
  kind: FileKind,
  status: MediaStatus,
  reason: MediaReason.nullable().meta({ description: 'The reason why the item is REJECTED' }),
  contentType: z.string().meta({ example: 'image/jpeg' }),
  bytes: z.int().meta({ example: 248_113 }),
  sha256: z.string().meta({
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    description: 'Of the original, in hex: the same bytes twice are one media item',
  }),
  width: z.int().nullable().meta({
    example: 1600,
    description:
      'In pixels, turned upright; of a PDF, of its first page; null until READY, and for a film that names no size',
  }),
  height: z.int().nullable().meta({ description: 'As `width`', example: 1200 }),
  caption: z.string().nullable().meta({ example: 'The living room' }),
  placeholder: z.string().nullable().meta({
    example: 'IQgSFYJ4eHeHiIeIh3d4iIeHgIiP',
    description: 'A ThumbHash in base64: some 25 bytes that show the picture before it is there',
  }),
  createdAt: Timestamp,
})

/** One picture, video or document of a listing, as it is kept with the listing. Its bytes are in S3. */
export const Media = MediaFacts.extend({
  variants: z.array(Variant),
  /** The name in S3 of the film that customers may see; null for other kinds, and until READY. */
  film: z.string().nullable(),
  /** Belongs to the pending revision of a published listing: private until that is published. */
  isPending: z.boolean(),
  /** The caption it has in the pending revision, empty for none; null when its caption does not change there. */
  pendingCaption: z.string().nullable(),
  /** When a direct upload must have arrived; null when the bytes came with the request. */
  uploadBefore: Timestamp.nullable(),
})
export type Media = z.infer<typeof Media>

/** What is known of a file before it is looked at. */
type NewFile = Pick<Media, 'kind' | 'contentType' | 'bytes' | 'sha256' | 'caption' | 'uploadBefore'>

/** Returns a new item in PROCESSING. */
export const newMedia = ({ now, newId }: { now: Clock; newId: NewId }, file: NewFile): Media => ({
  ...file,
  id: newId('media'),
  status: 'PROCESSING',
  reason: null,
  width: null,
  height: null,
  variants: [],
  film: null,
  placeholder: null,
  isPending: false,
  pendingCaption: null,
  createdAt: timestamp(now()),
})

/** A media item as the table holds it. Items are sorted by place, then by id. */
const PlacedMedia = Media.extend({ place: z.number() })

/**
 * The media of a listing in order. The table holds them as a map by the hash of the bytes: changes of two items do not
 * conflict, and the same bytes are one item.
 */
export const StoredMediaList = z
  .record(z.string(), PlacedMedia)
  .transform((stored): Media[] => inOrder(Object.values(stored)))

const inOrder = (media: z.infer<typeof PlacedMedia>[]): Media[] =>
  media
    .sort((one, other) => one.place - other.place || (one.id < other.id ? -1 : 1))
    .map(({ place: _place, ...item }) => item)

/** A media item in the caller's view. `position` counts the items that the caller sees, from 0. */
export const MediaView = MediaFacts.extend({
  position: z.int().meta({ example: 0 }),
  url: z.string().nullable().meta({
    example: 'https://media.example.com/med_01KAH3M6XQ8ZJ4T2V7W9C5RBND/full.jpg',
    description:
      'For customers the `full` JPEG, the first page or the film; for owner and administrators a private link to the original, good for five minutes',
  }),
  variants: z.array(
    VariantFacts.extend({
      url: z.string().meta({
        example: 'https://media.example.com/med_01KAH3M6XQ8ZJ4T2V7W9C5RBND/thumb.webp',
      }),
    }),
  ),
}).meta({ id: 'Media' })
export type MediaView = z.infer<typeof MediaView>

/** Media in an answer of their own. */
export const MediaItems = z.object({ items: z.array(MediaView) })

/** Returns the name of an item's original. */
export const originalOf = (listingId: ListingId, { id, kind }: Pick<Media, 'id' | 'kind'>): OriginalName => ({
  kind,
  listingId,
  mediaId: id,
})

/** Whether an item is a picture that customers may see. */
export const isReadyPicture = ({ kind, status, isPending }: Media): boolean =>
  kind === 'image' && status === 'READY' && !isPending

/** Whether an added item waits for a moderator. A REJECTED one does not: it has nothing to show. */
const isItemWaiting = ({ isPending, status }: Media): boolean => isPending && status !== 'REJECTED'

/** Whether the bytes of an item may not have arrived yet, so that no moderator could see them. */
const isUnseen = ({ status, uploadBefore }: Media): boolean =>
  status === 'PROCESSING' && uploadBefore !== null

/** Returns an item of a listing that goes live. One whose bytes no moderator could see becomes pending. */
export const withheldUnseen = (media: Media): Media =>
  isUnseen(media) ? { ...media, isPending: true } : media

/** Whether the item itself or a new caption of it waits in the revision of a live listing. */
export const hasWaiting = (media: Media): boolean => isItemWaiting(media) || media.pendingCaption !== null

/** Whether media of a listing wait, but no moderator could see any of them yet. */
export function onlyUnseenWaits(media: readonly Media[]): boolean {
  const waiting = media.filter(hasWaiting)
  return waiting.length > 0 && waiting.every(isUnseen)
}

/** The changes of a listing's media that wait in its revision: ids of added items, and new captions by id. */
export const WaitingMediaView = z.object({
  media: z
    .array(MediaId)
    .optional()
    .meta({ description: 'Media added, by id: private until they are published' }),
  captions: z
    .record(z.string(), z.string().nullable())
    .optional()
    .meta({ description: 'New captions by the id of the item; null takes a caption away' }),
})

/** Returns the changes of a listing's media that wait in its revision. */
export function viewWaitingMedia(media: readonly Media[]): z.infer<typeof WaitingMediaView> {
  const added = media.filter(isItemWaiting).map(({ id }) => id)
  const captions = media.flatMap(({ id, pendingCaption }) =>
    pendingCaption === null ? [] : [[id, pendingCaption || null] as const],
  )
  return {
    ...(added.length > 0 && { media: added }),
    ...(captions.length > 0 && { captions: Object.fromEntries(captions) }),
  }
}

/** Whether an item counts against `MEDIA_MAX`: an upload that never arrived does not. */
export const isCounted = ({ reason }: Media): boolean => reason !== 'upload_expired'

/** Whether an item waits for bytes of another length or type than these of the same hash, so that they would be refused. */
export const isMisannounced = (
  { status, uploadBefore, bytes, contentType }: Media,
  file: Pick<Media, 'bytes' | 'contentType'>,
): boolean =>
  status === 'PROCESSING' &&
  uploadBefore !== null &&
  (bytes !== file.bytes || contentType !== file.contentType)

/** Returns an item as the published revision has it: no longer pending, with its new caption. */
export const withRevisedCaption = (media: Media): Media => ({
  ...media,
  isPending: false,
  caption: media.pendingCaption === null ? media.caption : media.pendingCaption || null,
  pendingCaption: null,
})
