import { HOUR_SECONDS } from '#lib/kernel/clock'
import type { Statement } from '../grants.ts'
import { resourcesOf, type Template } from './template.ts'

/** A scheduled function and its schedule; a schedule that is not enabled is started by hand. */
export type Schedule = { job: string; everySeconds: number; isEnabled: boolean }

/** The logical id of the bucket of failures, which `lib/events/failures.yml` describes. */
const BUCKET = 'FailuresBucket'
/** Lambda retries after one minute and after two more: the least leaves time for both. It accepts at most six hours. */
const EVENT_AGE_SECONDS = { least: 300, most: 21_600 }
/** The stream keeps a record for a day. A batch is given up before, so that the failure destination gets its records. */
const STREAM_AGE_SECONDS = 22 * HOUR_SECONDS

/**
 * Returns the permissions by which Lambda stores a failed event with the role of its function. It stores an event of a
 * stream under the id of the mapping, and one of a schedule under `async/`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
export const keepFailuresOf = (source: 'stream' | 'schedule'): Statement[] => {
  const folder = source === 'schedule' ? 'aws/lambda/async' : 'aws/lambda'
  return [
    {
      Effect: 'Allow',
      Action: ['s3:PutObject'],
      Resource: { 'Fn::Sub': `\${${BUCKET}.Arn}/${folder}/*` },
    },
    { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: { 'Fn::GetAtt': [BUCKET, 'Arn'] } },
  ]
}

/**
 * Stores the events that the stream's reader or a scheduled function gave up on, for `npm run redrive`. A scheduled run is
 * retried at most twice, until the next run is due or five minutes have passed, whichever is later. Queues have dead letters
 * instead.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function keepFailures(template: Template, schedules: readonly Schedule[]): void {
  const OnFailure = { Destination: { 'Fn::GetAtt': [BUCKET, 'Arn'] } }
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::EventSourceMapping')) {
    // Only the mapping of a stream has a starting position.
    if (!('StartingPosition' in Properties)) continue
    Properties['DestinationConfig'] = { OnFailure }
    Properties['MaximumRecordAgeInSeconds'] = STREAM_AGE_SECONDS
  }
  for (const { job, everySeconds } of schedules) {
    const id = job.charAt(0).toUpperCase() + job.slice(1)
    template.Resources[`${id}Retries`] = {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: { Ref: `${id}LambdaFunction` },
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 2,
        MaximumEventAgeInSeconds: Math.min(
          Math.max(everySeconds, EVENT_AGE_SECONDS.least),
          EVENT_AGE_SECONDS.most,
        ),
        DestinationConfig: { OnFailure },
      },
    }
  }
}
