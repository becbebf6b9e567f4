import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { parse } from 'yaml'
import type { Item } from '#lib/dynamo/item'
import { type FollowedChanges, queuesFor } from '#lib/events/change-routes'
import type { JobSpec } from '#lib/http/spec'
import { changeOf, deliveredTo } from './stream.ts'

const SERVERLESS = new URL('../../serverless.yml', import.meta.url)

/** What an item was and what it is; undefined where it was not there. */
export type TableChange = { before: Item | undefined; after: Item | undefined }

/** Every item of the test file's table, by its key. */
export async function snapshot(): Promise<Map<string, Item>> {
  const items = new Map<string, Item>()
  const pages = paginateScan(
    { client: new DynamoDBClient({}) },
    { TableName: process.env['TABLE_NAME'], ConsistentRead: true },
  )
  for await (const { Items = [] } of pages) {
    for (const stored of Items) {
      const item = unmarshall(stored)
      items.set(`${item['pk']} ${item['sk']}`, item)
    }
  }
  return items
}

/** The changes of which serverless.yml says that a function follows them. */
async function followedBy(spec: JobSpec): Promise<(change: TableChange) => boolean> {
  const { functions } = parse(await readFile(SERVERLESS, 'utf8'), { logLevel: 'silent' })
  const { changes } = functions[spec.name].events[0]
  const followed: FollowedChanges = { inserted: [], modified: [], removed: [], ...changes }
  return ({ before, after }) => {
    const name = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY'
    const kind = String((after ?? before)?.['kind'])
    return queuesFor({ [spec.name]: { ...followed, queue: spec.name } }, name, kind).length > 0
  }
}

/**
 * Follows the table for a function. Each call yields the changes since the call before that the function follows, in no
 * particular order; several changes of one item are one.
 */
export async function tableChanges(spec: JobSpec): Promise<() => Promise<TableChange[]>> {
  const isFollowed = await followedBy(spec)
  let seen = await snapshot()
  return async () => {
    const [before, after] = [seen, await snapshot()]
    seen = after
    return [...new Set([...before.keys(), ...after.keys()])]
      .map((key) => ({ before: before.get(key), after: after.get(key) }))
      .filter((change) => !isDeepStrictEqual(change.before, change.after))
      .filter(isFollowed)
  }
}

/** Delivers changes to a consumer, one after the other. */
export const deliverChanges = (
  spec: JobSpec,
  changes: readonly TableChange[],
  deps: Record<string, unknown> = {},
): Promise<unknown[]> =>
  deliveredTo(
    spec,
    changes.map(({ before, after }) => changeOf(before, after)),
    deps,
  )
