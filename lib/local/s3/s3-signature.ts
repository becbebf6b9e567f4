import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ALGORITHM_IDENTIFIER, SHA256_HEADER, SignatureV4 } from '@smithy/signature-v4'
import { DAY_SECONDS, MINUTE_MILLISECONDS } from '#lib/kernel/clock'
import { sameText } from '#lib/kernel/signatures'
import { headerValue, splitTarget } from './s3-target.ts'

/** A request as it arrived: the target as it was sent, with its query. */
type SignedRequest = { method: string; target: string; headers: IncomingHttpHeaders }

export type Credentials = { accessKeyId: string; secretAccessKey: string }

/** Why S3 refuses a request: its error code, and a sentence. The status is 403 for all of them. */
export type Refusal = { code: string; message: string }

/** The difference of two clocks that S3 accepts. */
const SKEW_MILLISECONDS = 15 * MINUTE_MILLISECONDS
/** The longest time for which a link may be valid. */
const LONGEST_SECONDS = 7 * DAY_SECONDS

/**
 * Checks a request's AWS Signature Version 4, in the `Authorization` header or a presigned query, as S3 does:
 * credentials, time, and every `x-amz-` header. The request is signed once more by AWS's own signer and must come out
 * the same. Returns undefined if it is valid. The body is left to its reader, who compares it with the hash and
 * checksums that were signed.
 */
export async function refuseSignature(
  request: SignedRequest,
  credentials: Credentials,
  now: Date,
): Promise<Refusal | undefined> {
  const claim = findClaim(request)
  if (claim === undefined) return DENIED
  const scope = SCOPE.exec(claim.credential)?.groups
  if (scope?.['date'] !== claim.sentAt.slice(0, 8)) {
    return { code: 'AuthorizationHeaderMalformed', message: 'The credential is malformed.' }
  }
  if (scope['key'] !== credentials.accessKeyId) {
    return { code: 'InvalidAccessKeyId', message: 'The AWS Access Key Id does not exist in our records.' }
  }
  const refusal = refuseTime(claim, now) ?? refuseUnsigned(request, claim)
  if (refusal) return refusal
  const expected = await expectedSignature(request, claim, credentials, scope['region'] ?? '')
  return sameText(claim.signature, expected)
    ? undefined
    : { code: 'SignatureDoesNotMatch', message: 'The request signature we calculated does not match.' }
}

const DENIED: Refusal = { code: 'AccessDenied', message: 'Access Denied' }
const SCOPE = /^(?<key>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request$/

type Claim = {
  credential: string
  signedHeaders: ReadonlySet<string>
  signature: string
  sentAt: string
  /** Only in a presigned link. */
  expiresInSeconds: number | undefined
}

/** `<algorithm> Credential=…, SignedHeaders=…, Signature=…`; the fourth group is the signature. */
const HEADER = /^(\S+) Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([^,]+)$/

/**
 * Returns the parts of a request's own signature. Undefined when there is none, when a part of it is missing, or when
 * there are two, of which one would go unchecked.
 */
function findClaim({ target, headers }: SignedRequest): Claim | undefined {
  const query = new Map(splitTarget(target).query)
  const { authorization } = headers
  const isPresigned = query.has('X-Amz-Signature')
  const isInHeader = authorization !== undefined
  if (isPresigned === isInHeader) return undefined
  const [algorithm, credential, signedHeaders, signature] = isPresigned
    ? ['Algorithm', 'Credential', 'SignedHeaders', 'Signature'].map((name) => query.get(`X-Amz-${name}`))
    : (HEADER.exec(authorization ?? '')?.slice(1) ?? [])
  const sentAt = isPresigned ? query.get('X-Amz-Date') : headerValue(headers, 'x-amz-date')
  if (algorithm !== ALGORITHM_IDENTIFIER || !credential || !signedHeaders || !signature || !sentAt)
    return undefined
  return {
    credential,
    signedHeaders: new Set(signedHeaders.split(';')),
    signature,
    sentAt,
    expiresInSeconds: isPresigned ? Number(query.get('X-Amz-Expires')) : undefined,
  }
}

function refuseTime({ sentAt, expiresInSeconds }: Claim, now: Date): Refusal | undefined {
  const ageMilliseconds = now.getTime() - momentOf(sentAt).getTime()
  if (Number.isNaN(ageMilliseconds)) return { code: 'AccessDenied', message: 'The date is malformed.' }
  if (expiresInSeconds === undefined) {
    return Math.abs(ageMilliseconds) > SKEW_MILLISECONDS
      ? { code: 'RequestTimeTooSkewed', message: 'The request time and the current time are too far apart.' }
      : undefined
  }
  if (!(expiresInSeconds > 0 && expiresInSeconds <= LONGEST_SECONDS)) {
    return {
      code: 'AuthorizationQueryParametersError',
      message: 'X-Amz-Expires must be between 1 and 604800.',
    }
  }
  if (ageMilliseconds < -SKEW_MILLISECONDS)
    return { code: 'AccessDenied', message: 'Request is not yet valid' }
  if (ageMilliseconds > expiresInSeconds * 1000)
    return { code: 'AccessDenied', message: 'Request has expired' }
  return undefined
}

function refuseUnsigned({ headers }: SignedRequest, { signedHeaders }: Claim): Refusal | undefined {
  const unsigned = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.has(name),
  )
  if (unsigned.length === 0) return undefined
  return {
    code: 'AccessDenied',
    message: `There were headers present which were not signed: ${unsigned.join(', ')}`,
  }
}

/** Signs the request with these credentials and returns the signature. */
async function expectedSignature(
  request: SignedRequest,
  { signedHeaders, sentAt, expiresInSeconds }: Claim,
  credentials: Credentials,
  region: string,
): Promise<string> {
  const signer = new SignatureV4({
    credentials,
    region,
    service: 's3',
    sha256: Sha256,
    // The path is signed as it was sent, and the header with the body's hash is there already.
    uriEscapePath: false,
    applyChecksum: false,
  })
  const options = { signingDate: momentOf(sentAt), signableHeaders: new Set(signedHeaders) }
  if (expiresInSeconds === undefined) {
    const { headers } = await signer.sign(withoutSignature(request, signedHeaders), options)
    return HEADER.exec(headers['authorization'] ?? '')?.[4] ?? ''
  }
  const { query } = await signer.presign(withoutSignature(request, signedHeaders), {
    ...options,
    expiresIn: expiresInSeconds,
    // Signed headers stay headers. Only the body's hash, which is not among them, moves into the query.
    unhoistableHeaders: new Set(signedHeaders),
  })
  return String(query?.['X-Amz-Signature'])
}

/** Returns the request as it was before it was signed: with the signed headers, and no signature in its query. */
function withoutSignature({ method, target, headers }: SignedRequest, signedHeaders: ReadonlySet<string>) {
  const query: Record<string, string[]> = {}
  const hoisted: Record<string, string> = {}
  for (const [name, value] of splitTarget(target).query) {
    // AWS's signer moved the body's hash from its header into the query: put back, it is moved in the same way again.
    if (name.toLowerCase() === SHA256_HEADER) hoisted[name] = value
    else if (!SIGNATURE_PARAMETER.test(name)) query[name] = [...(query[name] ?? []), value]
  }
  const signed = [...signedHeaders].map((name) => [name, headerValue(headers, name) ?? ''])
  return {
    method,
    protocol: 'http:',
    hostname: 'localhost',
    path: target.split('?', 1)[0] ?? '/',
    query,
    headers: { ...Object.fromEntries(signed), ...hoisted },
    // An object is neither text nor bytes: the signer then signs UNSIGNED-PAYLOAD, as a link without a hash has it.
    body: {},
  }
}

const SIGNATURE_PARAMETER = /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature)$/

/** Reads a moment such as `20270131T120000Z`; any other text is an invalid date. */
const momentOf = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Node's SHA-256 as the signer constructs it: a hash, or an HMAC where there is a secret. */
const Sha256 = function sha256(secret?: string | Uint8Array) {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  return {
    update: (data: Uint8Array) => void hash.update(data),
    digest: async () => new Uint8Array(hash.digest()),
    reset: () => {},
  }
} as unknown as ConstructorParameters<typeof SignatureV4>[0]['sha256']
