import { DAY_SECONDS } from '#lib/kernel/clock'
import type { Resource, Template } from './template.ts'

/** A queue that starts a function, and its dead letters. */
export type Queue = {
  /** The function's name, from which the queue has its own. */
  job: string
  /** The content of a queue: changes of the table in order for each subject, events of mails, or objects of this bucket. */
  from: 'changes' | 'mailEvents' | { bucket: string; prefixes: readonly string[] }
  /** The number of failed deliveries after which a message goes to the dead letters. */
  attempts: number
  /** The time for which every message waits before its first delivery. */
  delaySeconds: number
  timeoutSeconds: number
}

/** The longest time for which SQS keeps a message. */
const KEPT_SECONDS = 14 * DAY_SECONDS
/** Added to the function's own timeout: Lambda may wait for a free environment before it hands a batch over. */
const SPARE_SECONDS = 30

/** Returns the logical id of a function's queue. */
export const queueId = (job: string): string => `${pascalCase(job)}Queue`
const deadLettersId = (job: string): string => `${pascalCase(job)}DeadLetters`

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Adds the queues to the template, named `<stack>-<function>`, and lets S3 fill its own. */
export function addQueues(template: Template, queues: readonly Queue[], stackName: string): void {
  for (const queue of queues) {
    const isFifo = queue.from === 'changes'
    const name = (suffix: string) => `${stackName}-${queue.job}${suffix}${isFifo ? '.fifo' : ''}`
    template.Resources[deadLettersId(queue.job)] = resource({
      QueueName: name('-dead'),
      ...fifoProperties(isFifo),
    })
    template.Resources[queueId(queue.job)] = resource({
      QueueName: name(''),
      ...fifoProperties(isFifo),
      DelaySeconds: queue.delaySeconds,
      VisibilityTimeout: queue.timeoutSeconds + SPARE_SECONDS,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLettersId(queue.job), 'Arn'] },
        maxReceiveCount: queue.attempts,
      },
    })
  }
  // SES fills its queue by `lib/mail/mail-events.yml`.
  notifyOfObjects(template, queues)
}

const resource = (Properties: Record<string, unknown>): Resource => ({
  Type: 'AWS::SQS::Queue',
  // Without the stack, the messages have no consumer. A kept queue would block the next stack: its name would be taken.
  DeletionPolicy: 'Delete',
  UpdateReplacePolicy: 'Delete',
  Properties: { ...Properties, MessageRetentionPeriod: KEPT_SECONDS, SqsManagedSseEnabled: true },
})

/** Returns the properties of a queue that keeps order within each message group. Each group has a limit of its own. */
const fifoProperties = (isFifo: boolean) =>
  isFifo
    ? { FifoQueue: true, DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' }
    : {}

/** Lets S3 send the arrivals under a prefix of a bucket to the queue of that prefix. */
function notifyOfObjects(template: Template, queues: readonly Queue[]): void {
  const arrivals = queues.flatMap(({ job, from }) =>
    typeof from === 'object' ? from.prefixes.map((prefix) => ({ ...from, prefix, queue: queueId(job) })) : [],
  )
  for (const [bucket, ofBucket] of Map.groupBy(arrivals, (arrival) => arrival.bucket)) {
    const target = template.Resources[bucket]
    if (!target) throw new Error(`The template has no bucket ${bucket}`)
    const policies = [...new Set(ofBucket.map(({ queue }) => queue))].map((queue) => allowS3(template, queue))
    target.DependsOn = [target.DependsOn ?? [], policies].flat()
    target.Properties['NotificationConfiguration'] = {
      QueueConfigurations: ofBucket.map(({ queue, prefix }) => ({
        Event: 's3:ObjectCreated:*',
        Queue: { 'Fn::GetAtt': [queue, 'Arn'] },
        Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: prefix }] } },
      })),
    }
  }
}

/** Lets S3 send to a queue. Returns the policy's logical id. */
function allowS3(template: Template, queue: string): string {
  const policy = `${queue}Policy`
  template.Resources[policy] = {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: queue }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 's3.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: { 'Fn::GetAtt': [queue, 'Arn'] },
            // By account: the bucket needs the policy to exist, so the policy cannot refer to the bucket.
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    },
  }
  return policy
}
