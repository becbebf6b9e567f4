import * as z from 'zod'
import type { OriginalName } from './media-links.ts'
import { readObjectName } from './object-names.ts'

/** The part of an S3 notification that is used: its size and hash are not trusted. A test notification has no records. */
const Notification = z.object({
  Records: z.array(z.object({ s3: z.object({ object: z.object({ key: z.string() }) }) })).default([]),
})

/** Returns the names of the originals in an S3 notification, the body of a message. */
export const readArrivals = (body: string): OriginalName[] =>
  Notification.parse(JSON.parse(body)).Records.flatMap(({ s3 }) => {
    const object = readObjectName(keyOf(s3.object.key))
    return object?.kind === 'original' ? [object.name] : []
  })

/** Notifications spell a key as a form would: a space is a plus. */
const keyOf = (spelled: string): string => new URLSearchParams(`key=${spelled}`).get('key') ?? ''
