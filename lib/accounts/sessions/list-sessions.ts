import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { SessionId } from '#lib/kernel/id'
import { answerPage, type PageQuery, pageOf } from '#lib/kernel/page'
import { liveSessions } from './session.ts'
import type { SessionReader } from './session-store.ts'

/** A device as its owner sees it. `lastUsedAt` and the address are of the last sign-in or refresh. */
export const SessionView = z
  .object({
    id: SessionId,
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ example: '2026-11-20T16:58:44.031Z' }),
    ipAddress: z.string().meta({ example: '203.0.113.7' }),
    userAgent: z.string().nullable().meta({ example: 'Mozilla/5.0 (Linux; Android 16) Firefox/150.0' }),
    current: z.boolean().meta({ description: 'Whether this request was made by it' }),
  })
  .meta({ id: 'Session' })

export const SessionPage = pageOf(SessionView)

type Deps = { sessions: SessionReader; cursors: Cursors; now: Clock }

/** Lists the caller's devices, newest sign-in first. */
export async function listSessions(
  { sessions, cursors, now }: Deps,
  account: Account,
  current: SessionId,
  { limit, cursor }: z.infer<typeof PageQuery>,
): Promise<z.infer<typeof SessionPage>> {
  const list = { list: 'sessions', filters: account.id, position: z.string() }
  return answerPage(cursors, list, cursor, async (after) => {
    const ids = liveSessions(account.sessions, now()).filter((id) => after === undefined || id < after)
    const page = ids.slice(0, limit)
    const found = await sessions.many(page)
    // A session's own record may end before the account's list says so.
    const live = found.filter(({ expiresAtSeconds }) => expiresAtSeconds * 1000 > now().getTime())
    return {
      items: live.map((session) => ({ ...session, current: session.id === current })),
      next: ids.length > limit ? page.at(-1) : undefined,
    }
  })
}
