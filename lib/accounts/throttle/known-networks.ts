import type { Account } from '#lib/accounts/account'
import { DAY_SECONDS, unixSeconds } from '#lib/kernel/clock'
import { sha256 } from '#lib/kernel/signatures'
import { networkOf } from './network-address.ts'

/** An account stores only this number of networks, the newest ones. */
const KNOWN_MAX = 20
/** The time for which a sign-in from the network of an earlier session is not announced. */
const FAMILIAR_SECONDS = 90 * DAY_SECONDS
/** A network that is used all the time is stored again after this time. */
const REFRESH_SECONDS = DAY_SECONDS

type Owner = Pick<Account, 'id' | 'knownNetworks'>

/** Returns the mark of a network in an account: a hash that the marks of other accounts do not match. */
export const networkMarkIn = ({ id }: Pick<Account, 'id'>, ipAddress: string): string =>
  sha256(`${id}\n${networkOf(ipAddress)}`, 'base64url').slice(0, 16)

/** Returns the account's newest networks, including the one used now. */
export function withNetwork(account: Owner, ipAddress: string, now: Date): Record<string, number> {
  const { [networkMarkIn(account, ipAddress)]: _before, ...others } = account.knownNetworks
  const newest = Object.entries(others).sort(([, one], [, other]) => other - one)
  return Object.fromEntries([
    ...newest.slice(0, KNOWN_MAX - 1),
    [networkMarkIn(account, ipAddress), unixSeconds(now)],
  ])
}

/**
 * Returns the account's newest networks, including one from which its owner proved to read its mail. No session used it: a
 * first sign-in from it is announced.
 */
export const withReadersNetwork = (account: Owner, ipAddress: string): Record<string, number> =>
  withNetwork(account, ipAddress, new Date(lastUse(account, ipAddress) * 1000))

/** Whether the account stores the network, however long ago a session last used it. */
export const isKnownNetwork = (account: Owner, ipAddress: string): boolean =>
  networkMarkIn(account, ipAddress) in account.knownNetworks

/** Whether a session of the account used the network in the last 90 days. */
export const isFamiliarNetwork = (account: Owner, ipAddress: string, now: Date): boolean =>
  lastUse(account, ipAddress) > unixSeconds(now) - FAMILIAR_SECONDS

/** Whether the use of a network by a session is to be stored: a new one, or the first of a day. */
export const isNewlyUsed = (account: Owner, ipAddress: string, now: Date): boolean =>
  lastUse(account, ipAddress) <= unixSeconds(now) - REFRESH_SECONDS

const lastUse = (account: Owner, ipAddress: string): number =>
  account.knownNetworks[networkMarkIn(account, ipAddress)] ?? 0
