import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { sha256 } from '#lib/kernel/signatures'
import type { Job, StreamSource } from './event-sources.ts'
import { matchesPattern } from './filter-pattern.ts'
import type { Invoke } from './invoke.ts'
import type { Positions } from './positions.ts'
import { isChange, type StreamApi, type StreamRecord } from './stream-reader.ts'

type StreamMapping = {
  job: Job
  source: StreamSource
  tableName: string
  api: StreamApi
  invoke: Invoke
  positions: Positions
  /** Receives a short line about each delivery. */
  report: (line: string) => void
  signal: AbortSignal
}

const POLL_MILLISECONDS = 200
const LONGEST_BATCH = 100
const BACK_OFF_MILLISECONDS = { first: 250, longest: 10_000 }

/**
 * Delivers a table's changes to a function as Lambda does: in order, filtered, each at least once. A failed batch is
 * repeated before the next one, for ever or `maximumRetryAttempts` times. The position is stored, so that a restart
 * continues from there. Ends when the signal aborts.
 */
export async function followStream(mapping: StreamMapping): Promise<void> {
  const { api, tableName, signal, job, report } = mapping
  /** The last error, which is reported once however often it comes again. */
  let trouble: string | undefined
  while (!signal.aborted) {
    try {
      const stream = await api.streamOf(tableName)
      if (stream) {
        // One after the other: a local database has one open shard, its newest.
        for (const shard of await api.shardsOf(stream)) await followShard(mapping, stream, shard)
      }
    } catch (error) {
      if (!signal.aborted && trouble !== `${error}`) report(`${job.name}: ${error}`)
      trouble = `${error}`
    }
    await pause(BACK_OFF_MILLISECONDS.first, signal)
  }
}

async function followShard(mapping: StreamMapping, stream: string, shard: string): Promise<void> {
  const { api, source, positions, job, signal } = mapping
  const place = { job: job.name, stream, shard }
  const limit = Math.min(source.batchSize, LONGEST_BATCH)
  let iterator = await api.iteratorAfter(stream, shard, positions.get(place))
  while (!signal.aborted) {
    const { records, next } = await api.read(iterator, limit)
    const last = records.at(-1)
    if (last) {
      const settle = (position: string) => positions.set(place, position)
      const isSettled = await deliver(mapping, records, stream, settle)
      if (!isSettled) return
      await settle(last.dynamodb.SequenceNumber)
    } else {
      await pause(POLL_MILLISECONDS, signal)
    }
    if (next === undefined) return
    iterator = next
  }
}

/** Delivers a batch. Returns whether all of it was handled or given up; false only when the stack is being stopped. */
async function deliver(
  mapping: StreamMapping,
  records: StreamRecord[],
  stream: string,
  settle: (position: string) => Promise<void>,
): Promise<boolean> {
  const { job, source, report, signal } = mapping
  let batch = records.filter((record) => wants(source, record))
  for (let attempt = 0; batch.length > 0 && !signal.aborted; attempt += 1) {
    const done = await attemptBatch(mapping, batch, stream)
    const settled = batch[done - 1]
    if (settled) await settle(settled.dynamodb.SequenceNumber)
    batch = batch.slice(done)
    if (batch.length === 0) break
    if (attempt === source.maximumRetryAttempts) {
      report(`${job.name}: gave up on ${batch.length} records`)
      return true
    }
    await pause(Math.min(BACK_OFF_MILLISECONDS.first * 2 ** attempt, BACK_OFF_MILLISECONDS.longest), signal)
  }
  return batch.length === 0
}

async function attemptBatch({ job, invoke, report }: StreamMapping, batch: StreamRecord[], stream: string) {
  const Records = batch.map((record) => ({
    ...record,
    eventID: eventId(stream, record),
    eventSourceARN: stream,
  }))
  const outcome = await invoke(job, { Records })
  const done = outcome.isOk ? countHandled(batch, outcome.result) : 0
  const records = batch.length === 1 ? 'record' : 'records'
  const part = done === batch.length ? '' : `${done} of `
  report(`${job.name}: ${part}${batch.length} ${records}`)
  return done
}

/** Returns an id that no change of another table has: the local database counts from 1 for each table. */
const eventId = (stream: string, { dynamodb }: StreamRecord): string =>
  sha256(`${stream} ${dynamodb.SequenceNumber}`).slice(0, 32)

const wants = ({ filterPatterns }: StreamSource, record: StreamRecord): boolean =>
  isChange(record) &&
  (filterPatterns.length === 0 || filterPatterns.some((pattern) => matchesPattern(record, pattern)))

const PartialAnswer = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.unknown() })) })

/** Counts the changes before the first that failed. An unknown identifier fails all. */
function countHandled(batch: StreamRecord[], result: unknown): number {
  const answer = PartialAnswer.safeParse(result)
  if (!answer.success || answer.data.batchItemFailures.length === 0) return batch.length
  const positions = answer.data.batchItemFailures.map(({ itemIdentifier }) =>
    batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  )
  return Math.max(0, Math.min(...positions))
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined)
