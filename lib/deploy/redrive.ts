import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import {
  GetQueueAttributesCommand,
  paginateListQueues,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import * as z from 'zod'

type RedriveClients = { sqs: SQSClient; s3: S3Client; lambda: LambdaClient }

/**
 * The record that Lambda wrote of an event after its last attempt. For a batch of the table's stream, which the function
 * `dispatchChanges` handles, `payload` is the event as text. For an asynchronous invocation, the record holds the event
 * and the function.
 */
const Failure = z.union([
  z
    .object({ payload: z.string() })
    .transform(({ payload }) => ({ functionName: 'dispatchChanges', event: payload })),
  z
    .object({ requestContext: z.object({ functionArn: z.string() }), requestPayload: z.unknown() })
    .transform(({ requestContext, requestPayload }) => ({
      // arn:aws:lambda:<region>:<account>:function:<name>[:<version>]
      functionName: requestContext.functionArn.split(':')[6] ?? '',
      event: JSON.stringify(requestPayload),
    })),
])

/**
 * Retries everything that was given up: dead letters go back to their queues, and kept events to their functions. An
 * event is removed once its function has handled it. Returns whether no event failed again.
 */
export async function redrive(
  { sqs, s3, lambda }: RedriveClients,
  { stackName, failuresBucket }: { stackName: string; failuresBucket: string },
  report: (line: string) => void,
): Promise<boolean> {
  // A function's name has no hyphen: the stack `platform-api-prod-eu` has queues that begin as those of `platform-api-prod`.
  const deadLetters = new RegExp(`/${stackName}-\\w+-dead(\\.fifo)?$`)
  for await (const { QueueUrls = [] } of paginateListQueues(
    { client: sqs },
    { QueueNamePrefix: `${stackName}-` },
  )) {
    for (const url of QueueUrls.filter((each) => deadLetters.test(each))) await redriveQueue(sqs, url, report)
  }
  let isDone = true
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: failuresBucket })) {
    for (const { Key = '' } of Contents) {
      const retry = async () => {
        const object = { Bucket: failuresBucket, Key }
        const { Body } = await s3.send(new GetObjectCommand(object))
        const failure = Failure.parse(JSON.parse((await Body?.transformToString()) ?? ''))
        const isHandled = await invokeAgain(lambda, stackName, failure)
        if (isHandled) await s3.send(new DeleteObjectCommand(object))
        report(`${failure.functionName}: ${isHandled ? 'done' : `failed again, kept as ${Key}`}`)
        return isHandled
      }
      // An event that cannot be retried, such as that of a function that was removed, holds up no other.
      const isHandled = await retry().catch((error: unknown) => {
        report(`${Key}: ${error instanceof Error ? error.message : error}, kept`)
        return false
      })
      isDone &&= isHandled
    }
  }
  return isDone
}

/** Sends an event to its function again. Returns whether the function has handled the whole event. */
async function invokeAgain(
  lambda: LambdaClient,
  stackName: string,
  { functionName, event }: z.infer<typeof Failure>,
): Promise<boolean> {
  // The name from an ARN begins with the stack's; `dispatchChanges`, from serverless.yml, does not.
  const FunctionName = functionName.startsWith(stackName) ? functionName : `${stackName}-${functionName}`
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(event) }),
  )
  return FunctionError === undefined && !isPartial(Payload)
}

async function redriveQueue(sqs: SQSClient, url: string, report: (line: string) => void): Promise<void> {
  const attributes = {
    QueueUrl: url,
    AttributeNames: ['QueueArn' as const, 'ApproximateNumberOfMessages' as const],
  }
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand(attributes))
  const { QueueArn: SourceArn, ApproximateNumberOfMessages: count = '0' } = Attributes
  if (count === '0') return
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }))
  report(`${url.split('/').at(-1)}: ${count} on their way back`)
}

const PartialAnswer = z.object({ batchItemFailures: z.array(z.unknown()).min(1) })

/** Whether a function reports that it has handled only some items of a batch. */
function isPartial(payload: Uint8Array | undefined): boolean {
  const text = Buffer.from(payload ?? []).toString('utf8')
  return PartialAnswer.safeParse(text === '' ? null : JSON.parse(text)).success
}
