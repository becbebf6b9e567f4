import { marshall } from '@aws-sdk/util-dynamodb'
import { openTable } from '#lib/dynamo/table'
import { serveJob } from '#lib/http/job'
import type { JobSpec } from '#lib/http/spec'
import type { Key } from '#lib/kernel/write'

/** Hands an item to a job as the table's stream would, once it has been put or changed. */
export async function streamTo(
  spec: JobSpec,
  key: Key,
  deps: Record<string, unknown> = {},
): Promise<unknown> {
  const item = await openTable(process.env['TABLE_NAME'] ?? '').get(key)
  if (!item) throw new Error(`There is no item ${key.pk} ${key.sk}`)
  const NewImage = marshall(item, { removeUndefinedValues: true })
  const event = { Records: [{ eventName: 'MODIFY', dynamodb: { SequenceNumber: '1', NewImage } }] }
  return serveJob(spec, deps)(event, { awsRequestId: 'test' } as never)
}
