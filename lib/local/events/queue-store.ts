import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { MINUTE_MILLISECONDS } from '#lib/kernel/clock'

const FILE = 'queues.sqlite'

/** A message as a queue hands it out. */
export type QueuedMessage = {
  id: string
  body: string
  /** Messages of a group are handed out in order. A message without a group waits for no other. */
  group: string | null
  /** Counted from 1. */
  attempt: number
  /** In Unix milliseconds, as the other times of the queues. */
  sentAt: number
}

/** A message to be sent; of two with one deduplication id within five minutes, the second is dropped. */
type SentMessage = { body: string; group?: string | undefined; deduplicationId?: string | undefined }

/** The queues of a local stack, kept in its directory. A queue exists once something was sent to it. */
export type QueueStore = {
  /** Returns the message's id. */
  send: (queue: string, message: SentMessage) => string
  /**
   * Hands out at most `limit` messages that were sent `delayMilliseconds` ago or longer, of groups that have no message
   * handed out.
   */
  receive: (queue: string, options: { limit: number; delayMilliseconds: number }) => QueuedMessage[]
  /** Removes a message that was handled. */
  remove: (id: string) => void
  /** Hands the message out again after a while, and until then nothing of its group. */
  retryAfter: (id: string, milliseconds: number) => void
  /** Moves the message to the dead letters. */
  bury: (id: string) => void
  /** The number of dead letters by queue. */
  dead: () => Record<string, number>
  /** Hands the dead letters of a queue out again; returns how many. */
  redrive: (queue: string) => number
  /** Resolves at the next message sent to this queue, or after so many milliseconds without one. */
  awaitMessage: (queue: string, milliseconds: number) => Promise<void>
  close: () => void
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, queue TEXT, body TEXT, grp TEXT, dedup TEXT,
    sent_at INTEGER, visible_at INTEGER DEFAULT 0, attempts INTEGER DEFAULT 0, dead INTEGER DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS by_queue ON messages (queue, dead, place);
  CREATE INDEX IF NOT EXISTS by_visibility ON messages (queue, dead, visible_at, grp);
  CREATE TABLE IF NOT EXISTS sent (queue TEXT, dedup TEXT, id TEXT, at INTEGER, PRIMARY KEY (queue, dedup));
`
const DEDUPLICATION_MILLISECONDS = 5 * MINUTE_MILLISECONDS
/** Hides a message that was handed out until it is removed, retried or buried, or the stack is started again. */
const HANDED_OUT = Number.MAX_SAFE_INTEGER

/** Passes over a message while another of its group is handed out, or waits to be retried. */
const RECEIVE = `
  SELECT id, body, grp AS "group", attempts + 1 AS attempt, sent_at AS sentAt
  FROM messages INDEXED BY by_queue
  WHERE queue = :queue AND dead = 0 AND sent_at <= :sentUntil AND visible_at <= :now AND (
    grp IS NULL OR grp NOT IN (
      SELECT grp FROM messages INDEXED BY by_visibility
      WHERE queue = :queue AND dead = 0 AND visible_at > :now AND grp IS NOT NULL
    )
  ) ORDER BY place LIMIT :limit`

/** Opens the queues kept in this directory. Messages that were handed out when the stack ended are handed out again. */
export function openQueues(directory: string): QueueStore {
  const database = new DatabaseSync(join(directory, FILE))
  // The last messages are lost if the machine loses power, but not if the stack is killed.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA} UPDATE messages SET visible_at = 0`,
  )
  const waits = new Map<string, { over: Promise<void>; end: () => void }>()
  const wake = (queue: string) => waits.get(queue)?.end()
  const statements = new Map<string, StatementSync>()
  // Queues are asked hundreds of times a second, and SQLite compiles a statement for longer than it runs it.
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const run = (sql: string, ...values: (string | number | null)[]) => prepared(sql).run(...values)
  const rows = (sql: string, ...values: (string | number)[]) => prepared(sql).all(...values)

  return {
    send: (queue, { body, group, deduplicationId }) => {
      const now = Date.now()
      const id = randomUUID()
      run('DELETE FROM sent WHERE at < ?', now - DEDUPLICATION_MILLISECONDS)
      if (deduplicationId !== undefined) {
        const [earlier] = rows('SELECT id FROM sent WHERE queue = ? AND dedup = ?', queue, deduplicationId)
        if (earlier) return `${earlier['id']}`
        run('INSERT INTO sent VALUES (?, ?, ?, ?)', queue, deduplicationId, id, now)
      }
      const insert = 'INSERT INTO messages (id, queue, body, grp, dedup, sent_at) VALUES (?, ?, ?, ?, ?, ?)'
      run(insert, id, queue, body, group ?? null, deduplicationId ?? null, now)
      wake(queue)
      return id
    },
    receive: (queue, { limit, delayMilliseconds }) => {
      const now = Date.now()
      const sentUntil = now - delayMilliseconds
      const messages = prepared(RECEIVE).all({ queue, sentUntil, now, limit }) as QueuedMessage[]
      for (const { id } of messages) {
        run('UPDATE messages SET visible_at = ?, attempts = attempts + 1 WHERE id = ?', HANDED_OUT, id)
      }
      return messages
    },
    remove: (id) => void run('DELETE FROM messages WHERE id = ?', id),
    retryAfter: (id, milliseconds) =>
      void run('UPDATE messages SET visible_at = ? WHERE id = ?', Date.now() + milliseconds, id),
    bury: (id) => void run('UPDATE messages SET dead = 1 WHERE id = ?', id),
    dead: () => {
      const counts = rows('SELECT queue, COUNT(*) AS count FROM messages WHERE dead = 1 GROUP BY queue')
      return Object.fromEntries(counts.map(({ queue, count }) => [`${queue}`, Number(count)]))
    },
    redrive: (queue) => {
      const revive = 'UPDATE messages SET dead = 0, attempts = 0, visible_at = 0 WHERE queue = ? AND dead = 1'
      const { changes } = run(revive, queue)
      wake(queue)
      return Number(changes)
    },
    awaitMessage: (queue, milliseconds) => {
      const known = waits.get(queue)
      if (known) return known.over
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const end = () => {
        clearTimeout(timer)
        waits.delete(queue)
        resolve()
      }
      const timer = setTimeout(end, milliseconds).unref()
      waits.set(queue, { over, end })
      return over
    },
    close: () => database.close(),
  }
}
