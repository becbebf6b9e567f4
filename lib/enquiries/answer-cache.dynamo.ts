import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { HOUR_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import type { AnswerCache } from './answer-cache.ts'
import { Answers } from './answers.ts'
import { answersKey } from './enquiry.keys.ts'

const KEPT_SECONDS = HOUR_SECONDS

const Kept = z.object({ answers: Answers.nullable(), countedAt: Timestamp })

/** Opens the cache of answer statistics in the one table. */
const openAnswerCache = (table: Table): AnswerCache => ({
  get: async (agentId, now) => {
    const kept = Kept.safeParse(await table.get(answersKey(agentId))).data
    return kept && kept.countedAt > timestamp(secondsAfter(now, -KEPT_SECONDS)) ? kept : undefined
  },
  put: (agentId, answers, now) => {
    // The account may end: nothing else removes the item.
    const expiresAtSeconds = Math.ceil(secondsAfter(now, KEPT_SECONDS).getTime() / 1000)
    const set = { kind: 'agent-answers', answers, countedAt: timestamp(now), expiresAtSeconds }
    return table.commit([table.update(answersKey(agentId), { set })])
  },
})

export const answerCache = onTable(openAnswerCache, { reads: ['AGENT'], writes: ['AGENT'] })
