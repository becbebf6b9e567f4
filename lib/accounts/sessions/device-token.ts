import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { unixSeconds } from '#lib/kernel/clock'
import { readToken, signToken } from '#lib/kernel/signed-token'

const DEVICE_TOKEN_SECONDS = 365 * 24 * 60 * 60

/** A device token as a client sends it. A wrong one is not refused: the device then counts as unknown. */
export const DeviceToken = z.string().max(512)

type Owner = Pick<Account, 'id' | 'deviceRevision'>

const PURPOSE = 'device-token'

/** Returns the text that a token signs. `issuedAt` is in seconds, written in base 36. */
const nameFor = ({ id, deviceRevision }: Owner, issuedAt: string): string =>
  `${id.replace('usr_', 'dvt_')}.${issuedAt}.${deviceRevision}`

/** Makes the token by which a device that has signed in is recognised for a year. */
export const deviceTokenOf = (key: Buffer, owner: Owner, now: Date): string =>
  signToken(key, PURPOSE, nameFor(owner, unixSeconds(now).toString(36)))

/**
 * Whether a token was given to this account within a year, and for its present `deviceRevision`: a new password and a
 * sign-out everywhere raise the revision.
 */
export function isDeviceOf(
  keys: readonly Buffer[],
  owner: Owner,
  token: string | null | undefined,
  now: Date,
): boolean {
  const name = typeof token === 'string' ? readToken(keys, PURPOSE, token) : undefined
  const [, issuedAt = ''] = name?.split('.') ?? []
  const endsAtSeconds = Number.parseInt(issuedAt, 36) + DEVICE_TOKEN_SECONDS
  return name === nameFor(owner, issuedAt) && endsAtSeconds * 1000 > now.getTime()
}
