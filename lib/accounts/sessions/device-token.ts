import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { DAY_SECONDS, unixSeconds } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { openToken, sealToken } from '#lib/kernel/sealed-token'
import type { HmacKeys } from '#lib/kernel/signed-token'

const DEVICE_TOKEN_SECONDS = 365 * DAY_SECONDS

/** A device token as a client sends it. A wrong one is not refused: the device then counts as unknown. */
export const DeviceToken = z.string().max(512)

type Owner = Pick<Account, 'id' | 'deviceRevision'>

const PURPOSE = 'device-token'
const Contents = z.object({ userId: UserId, deviceRevision: z.int(), issuedAtSeconds: z.int() })

/** Makes the token by which a device that has signed in is recognised for a year. */
export const makeDeviceToken = (
  keys: HmacKeys,
  { id: userId, deviceRevision }: Owner,
  now: Date,
): Promise<string> =>
  sealToken(keys, PURPOSE, JSON.stringify({ userId, deviceRevision, issuedAtSeconds: unixSeconds(now) }))

/**
 * Whether a token was given to this account within a year, and for its present `deviceRevision`: a new password and a
 * sign-out everywhere raise the revision.
 */
export async function isDeviceOf(
  keys: HmacKeys,
  { id, deviceRevision }: Owner,
  token: string | null | undefined,
  now: Date,
): Promise<boolean> {
  const text = typeof token === 'string' ? await openToken(keys, PURPOSE, token) : undefined
  if (text === undefined) return false
  const contents = Contents.parse(JSON.parse(text))
  const endsAtSeconds = contents.issuedAtSeconds + DEVICE_TOKEN_SECONDS
  return (
    contents.userId === id &&
    contents.deviceRevision === deviceRevision &&
    endsAtSeconds * 1000 > now.getTime()
  )
}
