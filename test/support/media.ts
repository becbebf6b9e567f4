import { spec as processMedia } from '#functions/jobs/process-media'
import { spec as processPdfs } from '#functions/jobs/process-pdfs'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { ListingId } from '#lib/kernel/id'
import type { MediaView } from '#lib/listings/media/media'
import { pagesRenderer } from '#lib/media/render/render-pages.pdfium'
import { call } from './call.ts'
import { consoleToken } from './given.ts'
import { listingOf } from './listings.ts'
import { filePart, multipartBody, textPart } from './multipart.ts'
import { jpeg } from './pictures.ts'
import { deliveredTo } from './stream.ts'
import { TEST_BUCKETS } from './test-stack.ts'

/** What S3 tells of an object that was put. */
export const arrival = (key: string) => ({
  Records: [
    {
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: 'eu-west-1',
      eventTime: '2027-01-31T12:00:00.000Z',
      eventName: 'ObjectCreated:Put',
      userIdentity: { principalId: 'AWS:AROAEXAMPLE' },
      requestParameters: { sourceIPAddress: '203.0.113.7' },
      responseElements: { 'x-amz-request-id': 'C3D13FE58DE4C810' },
      s3: {
        s3SchemaVersion: '1.0',
        configurationId: 'originals',
        bucket: {
          name: TEST_BUCKETS.media,
          ownerIdentity: { principalId: 'A3NL1KOZZKExample' },
          arn: `arn:aws:s3:::${TEST_BUCKETS.media}`,
        },
        object: {
          key,
          size: 1024,
          eTag: 'd41d8cd98f00b204e9800998ecf8427e',
          sequencer: '0055AED6DCD90281E5',
        },
      },
    },
  ],
})

/** A busy machine may draw a good document for longer than a function may. */
const renderPatiently = pagesRenderer({ memoryBytes: 1024 ** 3, seconds: 60 })

/** Delivers the arrival of an original to the function that processes it. An item that is not there is a picture. */
export async function delivered(
  listingId: string,
  mediaId: string,
  deps: Record<string, unknown> = {},
): Promise<{ outcome: string }[]> {
  const media = (await listingOf(ListingId.parse(listingId)))?.media.find(({ id }) => id === mediaId)
  const kind = media?.kind ?? 'image'
  const key = `originals/${kind}/${listingId}/${mediaId}`
  const [results] =
    kind === 'document'
      ? await deliveredTo(processPdfs, [arrival(key)], { render: renderPatiently, ...deps })
      : await deliveredTo(processMedia, [arrival(key)], deps)
  return results as { outcome: string }[]
}

/** Sends files to a listing as a browser does. */
export const uploaded = (
  listingId: string,
  token: string,
  files: Buffer[] = [jpeg()],
  captions: string[] = [],
  deps: Record<string, unknown> = {},
) =>
  call(uploadMedia, {
    deps,
    params: { id: listingId },
    token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    rawBody: multipartBody('b', [
      ...files.map((file) => filePart(file)),
      ...captions.map((caption) => textPart(caption)),
    ]),
  })

/** Sends files to a listing and has them processed; the items as they then are. */
export async function processed(
  listingId: string,
  token: string,
  files: Buffer[] = [jpeg()],
): Promise<MediaView[]> {
  const { status, body, text } = await uploaded(listingId, token, files)
  if (status >= 300) throw new Error(text)
  const items = body.items
  for (const { id } of items) await delivered(listingId, id)
  const all = await mediaOf(listingId, token)
  return items.flatMap(({ id }) => all.find((media) => media.id === id) ?? [])
}

/** The media of a listing as somebody sees them; an administrator unless a token is given. */
export async function mediaOf(listingId: string, token?: string): Promise<MediaView[]> {
  const { status, body, text } = await call(getListing, {
    params: { id: listingId },
    token: token ?? (await consoleToken()),
  })
  if (status !== 200) throw new Error(text)
  if (!('media' in body)) throw new Error(text)
  return body.media
}
