import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { marshalled } from '#lib/dynamo/item'
import { openTable } from '#lib/dynamo/table'
import type { Write } from '#lib/kernel/write'
import { createTable, LOCAL_BINARY, localDynamoClient, startDynamo } from '#lib/local/dynamodb'

export const TABLE_NAME = 'bench'

type Item = ReturnType<typeof marshalled>

/** A table for stores whose writes are loaded, not sent. */
export const unsent = openTable(TABLE_NAME)

/** The items that writes put. */
export const puts = (writes: readonly Write[]): Item[] =>
  writes.flatMap((write) => ('put' in write ? [marshalled(write.put)] : []))

/**
 * A local DynamoDB that holds so many items, given some at a time: they are written as an export and imported, which
 * takes minutes for millions of them where requests would take an hour. Answers how many there are.
 */
export async function loadedTable(batches: Iterable<Item[]>) {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  await mkdir(join(directory, 'export', TABLE_NAME, 'data'), { recursive: true })
  await writeFile(join(directory, 'schema.json'), JSON.stringify(await tableSchema()))
  let items = 0
  function* lines() {
    for (const together of batches) {
      items += together.length
      yield together.map((item) => `${JSON.stringify({ Item: item })}\n`).join('')
    }
  }
  const file = join(directory, 'export', TABLE_NAME, 'data', 'items.json.gz')
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(file))
  const database = join(directory, 'items.db')
  const source = ['--source', join(directory, 'export'), '--schema', join(directory, 'schema.json')]
  await promisify(execFile)(LOCAL_BINARY, ['import', ...source, '--output', database])
  const dynamo = await startDynamo({ file: database })
  return {
    items,
    endpoint: dynamo.endpoint,
    stop: async () => {
      await dynamo.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The table of `table.yml` as the import wants it described. */
async function tableSchema(): Promise<object> {
  const dynamo = await startDynamo()
  const client = localDynamoClient(dynamo.endpoint)
  await createTable(client, TABLE_NAME, { withStream: false })
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE_NAME }))
  await dynamo.stop()
  return { Table }
}
