import { mailEvents } from './mail-events.ts'
import type { Resource, Template } from './template.ts'

/** A queue that starts a function, and its dead letters. */
export type Queue = {
  /** The function's name, from which the queue has its own. */
  job: string
  /** The content of a queue: changes of the table in order for each subject, events of mails, or objects of this bucket. */
  from: 'changes' | 'mailEvents' | { bucket: string; prefix: string }
  /** After as many deliveries a message goes to the dead letters. */
  attempts: number
  timeoutSeconds: number
}

/** As long as SQS keeps anything. */
const KEPT_SECONDS = 14 * 24 * 60 * 60
/** Beside the function's own time: Lambda may wait for a free environment before it hands a batch over. */
const SPARE_SECONDS = 30

/** The logical id of a function's queue. */
export const queueId = (job: string): string => `${pascalCase(job)}Queue`
const deadLettersId = (job: string): string => `${pascalCase(job)}DeadLetters`

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Adds the queues to the template, named `<stack>-<function>`, and lets S3 and SES fill theirs. */
export function addQueues(template: Template, queues: readonly Queue[], stackName: string): void {
  for (const queue of queues) {
    const fifo = queue.from === 'changes'
    const name = (suffix: string) => `${stackName}-${queue.job}${suffix}${fifo ? '.fifo' : ''}`
    template.Resources[deadLettersId(queue.job)] = resource({ QueueName: name('-dead'), ...order(fifo) })
    template.Resources[queueId(queue.job)] = resource({
      QueueName: name(''),
      ...order(fifo),
      VisibilityTimeout: queue.timeoutSeconds + SPARE_SECONDS,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLettersId(queue.job), 'Arn'] },
        maxReceiveCount: queue.attempts,
      },
    })
    if (queue.from === 'mailEvents')
      Object.assign(template.Resources, mailEvents(queueId(queue.job), stackName))
    else if (queue.from !== 'changes') notify(template, queueId(queue.job), queue.from)
  }
}

const resource = (Properties: Record<string, unknown>): Resource => ({
  Type: 'AWS::SQS::Queue',
  // With the stack, the consumer of the messages goes too. Kept, its name would be in the way of the next stack.
  DeletionPolicy: 'Delete',
  UpdateReplacePolicy: 'Delete',
  Properties: { ...Properties, MessageRetentionPeriod: KEPT_SECONDS, SqsManagedSseEnabled: true },
})

/** In order within a message group; groups do not limit each other. */
const order = (fifo: boolean) =>
  fifo
    ? { FifoQueue: true, DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' }
    : {}

function notify(template: Template, queue: string, { bucket, prefix }: { bucket: string; prefix: string }) {
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
  const target = template.Resources[bucket]
  if (!target) throw new Error(`The template has no bucket ${bucket}`)
  target.DependsOn = policy
  target.Properties['NotificationConfiguration'] = {
    QueueConfigurations: [
      {
        Event: 's3:ObjectCreated:*',
        Queue: { 'Fn::GetAtt': [queue, 'Arn'] },
        Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: prefix }] } },
      },
    ],
  }
}
