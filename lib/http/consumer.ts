import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { type Dependencies, dependency, type Resolved } from '#lib/config/config'
import type { Clock } from '#lib/kernel/clock'
import { inParallel } from '#lib/kernel/parallel'
import { describeCause } from './describe-cause.ts'
import { type JobHandler, job } from './job.ts'
import { log } from './log.ts'
import { clock } from './runtime.ts'
import type { JobSpec } from './spec.ts'

/** The time kept for returning the result. A function that Lambda stops at its timeout fails with its whole batch. */
const MARGIN_MILLISECONDS = 2_000

/** The outcome of one message: the result of acting on it, or the failure. */
export type MessageDelivery = {
  consumer: string
  messageId: string
  /** 1 for the first delivery of the message. */
  attempt: number
  at: Date
  outcome: { result: unknown } | { error: unknown }
}
type Report = (delivery: MessageDelivery) => void

const deliveryLog = dependency(['LOG_LEVEL'], (settings): Report => {
  return ({ consumer, messageId, attempt, at, outcome }) => {
    const line = {
      time: at.toISOString(),
      message: `message of ${consumer}`,
      job: consumer,
      messageId,
      attempt,
    }
    if ('result' in outcome) return log(settings, 'info', { ...line, ...outcome })
    const { error } = outcome
    log(settings, 'error', { ...line, cause: describeCause(error) })
  }
})

/**
 * Declares a function that a queue starts. `read` parses the body of one message and `run` acts on it, safe to repeat,
 * with the time that the function still has. Messages of one subject are acted on in order. A failed message is logged
 * with its cause and is delivered again, with the later messages on its subject. After the queue's number of attempts it
 * goes to the dead letters. Messages of other subjects do not wait for it. Shortly before the function's timeout, the
 * remaining messages are left for another delivery.
 */
export function consumer<Message, D extends Dependencies>(declaration: {
  name: string
  summary: string
  deps: D
  read: (body: string) => Message
  run: (message: Message, deps: Resolved<D>, remainingMilliseconds: number) => Promise<unknown>
}): { spec: JobSpec; handler: JobHandler } {
  const { name, summary, read, run } = declaration
  return job({
    name,
    summary,
    deps: { ...declaration.deps, report: deliveryLog, now: clock },
    run: async ({ Records }: SQSEvent, resolved: unknown, remainingMilliseconds) => {
      // TypeScript cannot derive this type, since the type of `declaration.deps` is generic.
      const deps = resolved as Resolved<D> & { report: Report; now: Clock }
      const deliver = async (record: SQSRecord): Promise<boolean> => {
        const outcome = await outcomeOf(async () => run(read(record.body), deps, remainingMilliseconds()))
        deps.report({ consumer: name, ...identityOf(record), at: deps.now(), outcome })
        return 'result' in outcome
      }
      const subjects = [...Map.groupBy(Records, subjectOf).values()]
      const deadline = startDeadline(remainingMilliseconds() - MARGIN_MILLISECONDS)
      const left = await inParallel(subjects, (records) => inOrder(records, deliver, deadline))
      deadline.clear()
      return { batchItemFailures: left.flat().map(({ messageId }) => ({ itemIdentifier: messageId })) }
    },
  })
}

/** Only a FIFO queue has message groups. Elsewhere each message is a subject of its own. */
const subjectOf = ({ attributes, messageId }: SQSRecord): string => attributes.MessageGroupId ?? messageId

const identityOf = ({ messageId, attributes }: SQSRecord) => ({
  messageId,
  attempt: Number(attributes.ApproximateReceiveCount),
})

const outcomeOf = (act: () => Promise<unknown>): Promise<MessageDelivery['outcome']> =>
  act().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )

/** A moment that a batch stops at. `passed` resolves then, unless the deadline was cleared before. */
type Deadline = { passed: Promise<false>; hasPassed: () => boolean; clear: () => void }

function startDeadline(milliseconds: number): Deadline {
  const { promise, resolve } = Promise.withResolvers<false>()
  let hasPassed = false
  const pass = () => {
    hasPassed = true
    resolve(false)
  }
  const timer = setTimeout(pass, milliseconds)
  return { passed: promise, hasPassed: () => hasPassed, clear: () => clearTimeout(timer) }
}

/**
 * Delivers records one after the other. Returns the records to deliver again: the first that failed, or was not done at
 * the deadline, and all after it.
 */
async function inOrder(
  records: readonly SQSRecord[],
  deliver: (record: SQSRecord) => Promise<boolean>,
  { passed, hasPassed }: Deadline,
): Promise<readonly SQSRecord[]> {
  for (const [index, record] of records.entries()) {
    if (hasPassed() || !(await Promise.race([deliver(record), passed]))) return records.slice(index)
  }
  return []
}
