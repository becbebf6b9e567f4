import type { IncomingHttpHeaders } from 'node:http'

/** A request as it arrived: the target as it was sent, with its query. */
export type SignedRequest = { method: string; target: string; headers: IncomingHttpHeaders }

/** What a request says of its own signature. Nothing of it is checked yet. */
export type Claim = {
  credential: string
  signedHeaders: string[]
  signature: string
  sentAt: string
  payloadHash: string
  /** Of a presigned link only. */
  expiresInSeconds: number | undefined
}

/** The one algorithm there is. */
export const ALGORITHM = 'AWS4-HMAC-SHA256'

export type Query = [name: string, value: string][]

/** A target's path and query, decoded. Throws a URIError when an escape is malformed. */
export function splitTarget(target: string): { path: string; query: Query } {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const pairs = query.split('&').filter(Boolean)
  return {
    path: decodeURIComponent(path),
    query: pairs.map((pair) => {
      const [name, value] = halves(pair, '=')
      return [decodeURIComponent(name), decodeURIComponent(value)]
    }),
  }
}

/** The headers as S3 understands them: a presigned query's `x-amz-` parameters count as headers. */
function effectiveHeaders({ target, headers }: SignedRequest): IncomingHttpHeaders {
  const lifted = splitTarget(target).query.map(([name, value]): [string, string] => [
    name.toLowerCase(),
    value,
  ])
  return { ...headers, ...Object.fromEntries(lifted.filter(([name]) => name.startsWith('x-amz-'))) }
}

/** A header's one value, as a signature covers it. */
export const headerValue = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(',') : value)?.trim().replace(/ +/g, ' ')
}

/**
 * Finds the signature of a request, in its `Authorization` header or in its presigned query. Undefined when
 * there is none, when a part of it is missing, or when there are two, of which one would go unchecked.
 */
export function findClaim(request: SignedRequest): Claim | undefined {
  const parameters = new Map(splitTarget(request.target).query)
  const { authorization } = request.headers
  const isPresigned = parameters.has('X-Amz-Signature')
  if (isPresigned === (authorization !== undefined)) return undefined

  const payloadHash = headerValue(effectiveHeaders(request), 'x-amz-content-sha256')
  if (isPresigned) {
    return complete(parameters.get('X-Amz-Algorithm'), {
      credential: parameters.get('X-Amz-Credential'),
      signedHeaders: parameters.get('X-Amz-SignedHeaders'),
      signature: parameters.get('X-Amz-Signature'),
      sentAt: parameters.get('X-Amz-Date'),
      payloadHash: payloadHash ?? 'UNSIGNED-PAYLOAD',
      expiresInSeconds: Number(parameters.get('X-Amz-Expires')),
    })
  }
  const [algorithm, fields] = halves(authorization ?? '', ' ')
  const parts = new Map(fields.split(',').map((field) => halves(field.trim(), '=')))
  return complete(algorithm, {
    credential: parts.get('Credential'),
    signedHeaders: parts.get('SignedHeaders'),
    signature: parts.get('Signature'),
    sentAt: headerValue(request.headers, 'x-amz-date'),
    payloadHash,
    expiresInSeconds: undefined,
  })
}

type Found = Record<
  'credential' | 'signedHeaders' | 'signature' | 'sentAt' | 'payloadHash',
  string | undefined
> &
  Pick<Claim, 'expiresInSeconds'>

function complete(algorithm: string | undefined, found: Found): Claim | undefined {
  const { credential, signedHeaders, signature, sentAt, payloadHash, expiresInSeconds } = found
  if (algorithm !== ALGORITHM) return undefined
  if (!credential || !signedHeaders || !signature || !sentAt || !payloadHash) return undefined
  return {
    credential,
    signedHeaders: signedHeaders.split(';'),
    signature,
    sentAt,
    payloadHash,
    expiresInSeconds,
  }
}

function halves(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
