import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  ALGORITHM,
  type Claim,
  findClaim,
  headerValue,
  type Query,
  type SignedRequest,
  splitTarget,
} from './s3-claim.ts'

export type Credentials = { accessKeyId: string; secretAccessKey: string }

/** Why S3 refuses a request: its error code, and a sentence. The status is 403 for all of them. */
export type Refusal = { code: string; message: string }

const SKEW_MILLISECONDS = 15 * 60_000
const LONGEST_SECONDS = 7 * 24 * 3600

/**
 * Checks a request as S3 does: AWS Signature Version 4, in the `Authorization` header or in a presigned
 * query, made with these credentials, in time, over every `x-amz-` header it carries. Undefined is a pass.
 * Says nothing about the body: whoever reads it compares it with the hash and checksums that were signed.
 */
export function refuseSignature(
  request: SignedRequest,
  credentials: Credentials,
  now: Date,
): Refusal | undefined {
  const claim = findClaim(request)
  if (claim === undefined) return { code: 'AccessDenied', message: 'Access Denied' }

  const [accessKeyId, ...scope] = claim.credential.split('/')
  const [date, , service, terminator] = scope
  if (
    scope.length !== 4 ||
    date !== claim.sentAt.slice(0, 8) ||
    service !== 's3' ||
    terminator !== 'aws4_request'
  ) {
    return { code: 'AuthorizationHeaderMalformed', message: 'The credential is malformed.' }
  }
  if (accessKeyId !== credentials.accessKeyId) {
    return { code: 'InvalidAccessKeyId', message: 'The AWS Access Key Id does not exist in our records.' }
  }
  const untimely = refuseTime(claim, now)
  if (untimely) return untimely

  const unsigned = Object.keys(request.headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  )
  if (unsigned.length > 0) {
    return {
      code: 'AccessDenied',
      message: `There were headers present which were not signed: ${unsigned.join(', ')}`,
    }
  }
  const toSign = [ALGORITHM, claim.sentAt, scope.join('/'), sha256(canonicalRequest(request, claim))].join(
    '\n',
  )
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`)
  return isSame(claim.signature, hmac(key, toSign).toString('hex'))
    ? undefined
    : { code: 'SignatureDoesNotMatch', message: 'The request signature we calculated does not match.' }
}

function refuseTime({ sentAt, expiresInSeconds }: Claim, now: Date): Refusal | undefined {
  const iso = sentAt.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const ageMilliseconds = now.getTime() - Date.parse(iso)
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

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function canonicalRequest(request: SignedRequest, claim: Claim): string {
  const { path, query } = splitTarget(request.target)
  return [
    request.method,
    path.split('/').map(encode).join('/'),
    canonicalQuery(query),
    ...claim.signedHeaders.map((name) => `${name}:${headerValue(request.headers, name) ?? ''}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n')
}

const canonicalQuery = (query: Query): string =>
  query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map((pair) => pair.join('='))
    .join('&')

const compare = (left: string, right: string) => (left < right ? -1 : Number(left > right))

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

const isSame = (left: string, right: string) =>
  timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)))
