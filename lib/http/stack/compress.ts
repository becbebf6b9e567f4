import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { header, weightsIn } from '#lib/http/request'
import type { Answered, HttpMiddleware } from './middleware.ts'
import { withVary } from './send-headers.ts'

/** A smaller answer fits a packet or two as it is. */
const COMPRESSED_FROM_BYTES = 1024

/** Fast and nearly as small as the slowest: an answer is compressed while its caller waits. */
const BROTLI_QUALITY = 4

type Coding = 'br' | 'gzip'

/**
 * Compresses every answer of more than 1 KiB for callers who take it, problems too. A body that the build compressed is
 * sent unchanged to callers who accept its coding, and unpacked for all others.
 */
export function compress(): HttpMiddleware {
  const complete = async (request: Answered) => {
    const { event, response } = request
    if (response?.body === undefined) return
    const coding = codingFor(header(event, 'accept-encoding') ?? '')
    if (response.headers?.['content-encoding'] === 'br') {
      request.response = await recode(response, coding)
      return
    }
    if (response.isBase64Encoded || Buffer.byteLength(response.body) <= COMPRESSED_FROM_BYTES) return
    const headers = withVary(response.headers ?? {}, 'Accept-Encoding')
    request.response = {
      ...response,
      headers,
      ...(coding && (await encode(response.body, coding, headers))),
    }
  }
  return { after: complete, onError: complete }
}

/** Returns an answer that the build compressed with Brotli in the coding that its caller accepts. */
async function recode(
  response: APIGatewayProxyStructuredResultV2,
  coding: Coding | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  const headers = withVary(response.headers ?? {}, 'Accept-Encoding')
  if (coding === 'br') return { ...response, headers }
  const { brotliDecompressSync, gzipSync } = await import('node:zlib')
  const plain = brotliDecompressSync(Buffer.from(response.body ?? '', 'base64'))
  const { 'content-encoding': _, ...others } = headers
  return coding === 'gzip'
    ? {
        ...response,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(plain).toString('base64'),
      }
    : { ...response, headers: others, body: plain.toString('base64') }
}

/** Returns the compressed body, as base64 for Lambda, and its headers; nothing where that would be longer. */
async function encode(
  plain: string,
  coding: Coding,
  headers: NonNullable<APIGatewayProxyStructuredResultV2['headers']>,
) {
  // Loaded when it is needed: most cold starts end with an answer too small for it.
  const { brotliCompress, constants, gzip } = await import('node:zlib')
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const done = (error: Error | null, result: Buffer) => (error ? reject(error) : resolve(result))
    if (coding === 'gzip') gzip(plain, done)
    else brotliCompress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, done)
  })
  const body = bytes.toString('base64')
  if (body.length >= Buffer.byteLength(plain)) return {}
  return { body, isBase64Encoded: true, headers: { ...headers, 'content-encoding': coding } }
}

/**
 * Returns the coding with the greatest weight in an `Accept-Encoding` field, `br` before `gzip`; undefined if the plain
 * answer has a greater one. `*` is the weight of codings that the field does not name (RFC 9110, section 12.5.3).
 */
export function codingFor(field: string): Coding | undefined {
  const weights = weightsIn(field)
  const weightFor = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  const [best] = (['br', 'gzip'] as const)
    .filter((coding) => weightFor(coding) > 0 && weightFor(coding) >= plain)
    .sort((a, b) => weightFor(b) - weightFor(a))
  return best
}
