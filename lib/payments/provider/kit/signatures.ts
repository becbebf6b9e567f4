import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same. Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Whether a signature was made with one of the secrets. A missing signature is wrong. */
export const isMadeByAny = <Secret>(
  signature: string | undefined,
  secrets: readonly Secret[],
  sign: (secret: Secret) => string,
): boolean => secrets.some((secret) => sameText(signature ?? '', sign(secret)))

/** The HMAC of the parts put together. The key is taken as it is; decode it first where the scheme says so. */
export function hmac(
  algorithm: 'sha256' | 'sha512',
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64',
): string {
  const digest = createHmac(algorithm, key)
  for (const part of parts) digest.update(part)
  return digest.digest(encoding)
}

/** The hash of a text or a body, in hex. */
export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')

/** Returns the values of a name in a header such as `t=1,v1=a,v1=b`; other names are passed over. */
export const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []))

/**
 * Whether a header `t=<Unix seconds>,v1=<hex>` is signed with HMAC-SHA256, by any of the secrets and no longer ago than
 * the tolerance. `signed` returns the bytes that the signature covers. While secrets rotate, the header has several
 * signatures.
 */
export function isSignedInTime(
  header: string | undefined,
  signed: (sentAt: string) => readonly (string | Buffer)[],
  { secrets, now, toleranceSeconds }: { secrets: readonly string[]; now: Date; toleranceSeconds: number },
): boolean {
  const sentAt = valuesOf(header, 't').find((time) => /^\d{1,15}$/.test(time))
  if (sentAt === undefined || Math.floor(now.getTime() / 1000) - Number(sentAt) > toleranceSeconds)
    return false
  return secrets.some((secret) => {
    const expected = hmac('sha256', secret, signed(sentAt), 'hex')
    return valuesOf(header, 'v1').some((signature) => sameText(signature, expected))
  })
}
