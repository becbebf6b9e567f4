import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import { isNewlyUsed } from '#lib/accounts/throttle/known-networks'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { SessionId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { newestKey } from '#lib/kernel/signed-token'
import { currentRefreshToken, readRefreshToken, refreshToken } from './refresh-token.ts'
import { listSpentMoments, type Session, sessionEndSeconds, tokenHash, useOf } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { type SessionDeps, type TokenPair, tokenPair } from './sign-in.ts'

/** A refresh token as a client shows it. */
export const RefreshRequest = z.object({
  refreshToken: z.string().min(1).max(500).meta({ example: 'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND.9xQ2…' }),
})

type Deps = SessionDeps & {
  accounts: AccountReader
  sessions: SessionStore
}

/**
 * Exchanges a refresh token for the session's next pair, by one conditional write: of simultaneous requests one writes,
 * and the others receive the same pair. A token used at most 10 s ago returns the session's current pair to all
 * callers. A later use shows that somebody copied the token, and ends the session. Throws `invalid_refresh_token` for
 * that and for an unknown, expired, ended or foreign token.
 */
export async function refreshSession(
  deps: Deps,
  request: z.infer<typeof RefreshRequest>,
  device: Device,
): Promise<TokenPair> {
  // The token is judged by when the client showed it, however long the table takes to answer.
  const shownAt = deps.now()
  const shown = readRefreshToken(await deps.hmacKeys(), request.refreshToken)
  if (!shown) throw refusal()
  return retryConflicts(async () => {
    const { account, session } = await liveSession(deps, shown.sessionId)
    const use = useOf(session, shown.generation, shownAt)
    if (use === 'current') return rotate(deps, account, session, device)
    if (use === 'repeated') return repeat(deps, account, session)
    if (use === 'stolen') await endReused(deps, account, session)
    throw refusal()
  })
}

async function liveSession({ accounts, sessions, now }: Deps, id: SessionId) {
  const session = await sessions.get(id)
  const account = session && (await accounts.get(session.userId))
  const listedUntil = account?.sessions[id] ?? 0
  const end = Math.min(session?.expiresAtSeconds ?? 0, listedUntil)
  if (!session || account?.status !== 'ACTIVE' || end * 1000 <= now().getTime()) throw refusal()
  return { session, account }
}

async function rotate(
  deps: Deps,
  account: Account,
  session: Session,
  { ipAddress, userAgent }: Device,
): Promise<TokenPair> {
  const { sessions, now } = deps
  const generation = session.generation + 1
  const token = refreshToken(await newestKey(deps.hmacKeys), session.id, generation)
  const next: Session = {
    ...session,
    generation,
    tokenHash: tokenHash(token),
    rotatedAt: timestamp(now()),
    spentAtMilliseconds: listSpentMoments(session, now()),
    lastUsedAt: timestamp(now()),
    ipAddress,
    userAgent,
    expiresAtSeconds: sessionEndSeconds(session.createdAt, now()),
  }
  // The account also stores the session's end and its network. It is written only where one of them is out of date.
  const isStoredEndLateEnough = (account.sessions[session.id] ?? 0) >= next.expiresAtSeconds
  const isStoredNetworkRecent = !isNewlyUsed(account, ipAddress, now())
  await sessions.commit([
    sessions.replace(session, next),
    ...(isStoredEndLateEnough && isStoredNetworkRecent ? [] : [sessions.noteUse(account, next, now())]),
  ])
  return tokenPair(deps, account, next, token)
}

async function endReused({ sessions, now, newId }: Deps, account: Account, { id }: Session): Promise<void> {
  const at = timestamp(now())
  const data = { userId: account.id }
  const event = announce({ id: newId('event'), type: 'session.reused', subject: id, at, data })
  // Of many who show the token at once, one ends the session and announces it.
  await sessions.commit([...sessions.endOnce(account, id), event])
}

async function repeat(deps: Deps, account: Account, session: Session): Promise<TokenPair> {
  const token = currentRefreshToken(await deps.hmacKeys(), session)
  // The key that signed the token is no longer configured.
  if (token === undefined) throw refusal()
  return tokenPair(deps, account, session, token)
}

const refusal = () => new DomainError('invalid_refresh_token')
