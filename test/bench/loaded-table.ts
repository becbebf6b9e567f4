import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { marshalled } from '#lib/dynamo/item'
import { openTable } from '#lib/dynamo/table'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { placesOf } from '#lib/listings/search/lists'
import { searchWritingKey } from '#lib/listings/search/search.keys'
import { entryOf } from '#lib/listings/search/search-entry'
import { createTable, LOCAL_BINARY, localDynamoClient, startDynamo } from '#lib/local/dynamodb'
import type { Marketplace } from './marketplace.ts'

export const TABLE_NAME = 'bench-search'

/**
 * A local DynamoDB that holds a whole marketplace: its items are written as an export and imported, which takes
 * minutes for millions of them where requests would take an hour. Answers how many there are.
 */
export async function loadedTable(market: Marketplace) {
  const directory = await mkdtemp(join(tmpdir(), 'bench-search-'))
  await mkdir(join(directory, 'export', TABLE_NAME, 'data'), { recursive: true })
  await writeFile(join(directory, 'schema.json'), JSON.stringify(await tableSchema()))
  let items = 0
  function* lines() {
    for (const together of itemsOf(market)) {
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
  await createTable(client, TABLE_NAME)
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE_NAME }))
  await dynamo.stop()
  return { Table }
}

type Item = ReturnType<typeof marshalled>

/** Every item, those of one agent or listing together. */
function* itemsOf({ agents, listings }: Marketplace): Generator<Item[]> {
  const table = openTable(TABLE_NAME, (): DynamoDBClient => localDynamoClient('http://127.0.0.1:1'))
  const [accounts, store] = [openAccounts(table), openListings(table)]
  for (const agent of agents) yield puts(accounts.insert(agent).slice(0, 1))
  for (const listing of listings()) yield [...puts([store.insert(listing)]), ...entriesOf(listing)]
}

/** What `SearchIndex.enter` puts into the table. */
function entriesOf(listing: Listing): Item[] {
  const entry = entryOf(listing)
  if (!entry) return []
  const writing = { ...searchWritingKey(entry.listingId, entry.by), kind: 'search-writing', ...entry }
  const values = marshalled({ kind: 'search-entry', ...entry })
  return [marshalled(writing), ...placesOf(entry).map((key) => ({ ...marshalled(key), ...values }))]
}

const puts = (writes: readonly Write[]): Item[] =>
  writes.flatMap((write) => ('put' in write ? [marshalled(write.put)] : []))
