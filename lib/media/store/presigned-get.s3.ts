import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl, S3RequestPresigner } from '@aws-sdk/s3-request-presigner'
import { MINUTE_SECONDS } from '#lib/kernel/clock'
import { s3 } from '#lib/objects/s3-client'

const LINK_SECONDS = 5 * MINUTE_SECONDS

type Address = { protocol: string; hostname: string; port?: number; path: string; headers: { host: string } }

const addresses = new Map<string, Address>()
let presigner: S3RequestPresigner | undefined

/**
 * Makes a link to one object, good for five minutes. An owner's page may hold thousands of links, so the SDK resolves the
 * bucket's address only once: signing alone takes a tenth of the time of a whole command. Keys hold nothing that needs
 * to be escaped.
 */
export async function presignedGet(
  bucket: string,
  key: string,
  { ResponseContentDisposition: disposition }: { ResponseContentDisposition?: string },
): Promise<string> {
  const address = addresses.get(bucket) ?? (await addressOf(bucket))
  addresses.set(bucket, address)
  const { path, ...origin } = address
  presigner ??= new S3RequestPresigner({ ...s3().config })
  const request = {
    ...origin,
    method: 'GET',
    path: path + key,
    query: { ...(disposition && { 'response-content-disposition': disposition }) },
  }
  const { query = {} } = await presigner.presign(request, { expiresIn: LINK_SECONDS })
  const parameters = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  )
  return `${origin.protocol}//${origin.headers.host}${request.path}?${parameters.join('&')}`
}

/** Returns the address of a bucket's objects: the address that the SDK gives an object `x`, without the `x`. */
async function addressOf(bucket: string): Promise<Address> {
  const url = new URL(await getSignedUrl(s3(), new GetObjectCommand({ Bucket: bucket, Key: 'x' })))
  const { protocol, hostname, port, pathname, host } = url
  const path = pathname.slice(0, -1)
  return { protocol, hostname, ...(port !== '' && { port: Number(port) }), path, headers: { host } }
}
