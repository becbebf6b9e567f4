import { actionsNeededBy } from '../sent-actions.ts'
import type { Request } from './policy.ts'
import type { Sent } from './recording.ts'

/** The requests that IAM judges for what a function sent. Services that the tests do not run have none. */
export function requestsOf({ service, command, touched }: Sent): Request[] {
  if (service === 'DynamoDB') return Object.entries(touched).flatMap((place) => onTable(command, ...place))
  if (service === 'S3') return Object.entries(touched).flatMap((place) => onBucket(command, ...place))
  return []
}

function onTable(command: string, place: string, partitions: readonly string[]): Request[] {
  const resource = place === 'table' ? '{Table.Arn}' : `{Table.Arn}/${place}`
  return [{ action: `dynamodb:${command}`, resource, leadingKeys: partitions }]
}

const onBucket = (command: string, bucket: string, folders: readonly string[]): Request[] =>
  actionsNeededBy('s3', command)
    // What a copy reads is recorded as a request of its own.
    .filter((action) => command !== 'CopyObject' || action !== 's3:GetObject')
    .flatMap((action) =>
      folders.map((folder) => ({
        action,
        resource: `{${bucket}.Arn}${action === 's3:ListBucket' ? '' : `/${folder}x`}`,
      })),
    )
