import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { MediaId } from '#lib/kernel/id'

/** The most media a listing may have. */
export const MEDIA_MAX = 40

export const MediaKind = z.enum(['image', 'video', 'document'])
export const MediaStatus = z.enum(['PROCESSING', 'READY', 'REJECTED'])

/** One picture, video or document of a listing, as it is kept with the listing. Its bytes are in S3. */
export const Media = z.object({
  id: MediaId,
  kind: MediaKind,
  status: MediaStatus,
  reason: z.string().nullable(),
  contentType: z.string(),
  bytes: z.int(),
  /** Hex SHA-256 of the original: the same bytes twice are one media item. */
  sha256: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  caption: z.string().nullable(),
  /** Belongs to the pending revision of a published listing: private until that is published. */
  isPending: z.boolean(),
  createdAt: Timestamp,
})
export type Media = z.infer<typeof Media>

/** A media item as a caller sees it; its position is its place in the listing. */
export const MediaView = z
  .object({
    id: MediaId,
    kind: MediaKind,
    status: MediaStatus,
    reason: z.string().nullable(),
    contentType: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    caption: z.string().nullable(),
    position: z.int(),
    url: z
      .string()
      .nullable()
      .meta({ description: 'A short-lived private link, for owner and administrators only' }),
    variants: z.array(
      z.object({
        name: z.enum(['thumb', 'card', 'full']),
        url: z.string(),
        width: z.int(),
        height: z.int(),
        contentType: z.string(),
      }),
    ),
    placeholder: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Media' })
export type MediaView = z.infer<typeof MediaView>

/** A picture that customers could look at now. */
export const isReadyPicture = ({ kind, status, isPending }: Media): boolean =>
  kind === 'image' && status === 'READY' && !isPending
