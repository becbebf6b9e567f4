import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTable, localDynamoClient, startDynamo } from '#lib/local/dynamodb'
import { bundleFunctions } from '#lib/package/bundle'

// `npm run bench:signed-requests`: what a first and a further read of an item take of the processor, by the SDK and by the
// service's own client, both bundled with their bytecode as functions are, in processes of their own and in turns.

const ROOT = join(import.meta.dirname, '../..')
const RUNS = 25
const WARM = 1_000
const READERS = ['with-sdk', 'signed'] as const
const TABLE = 'signed-requests'

type Used = { first: number; each: number; isRejected: boolean }

const folder = await mkdtemp(join(tmpdir(), 'platform-bench-'))
const dynamo = await startDynamo()
try {
  const client = localDynamoClient(dynamo.endpoint)
  await createTable(client, TABLE, { withStream: false })
  const files = READERS.map((reader) => `test/bench/reading/${reader}`)
  await bundleFunctions(ROOT, files, { bundles: folder, maps: join(folder, 'maps') })
  const used = new Map(READERS.map((reader) => [reader, [] as Used[]]))
  for (const reader of READERS) await run(reader, 1)
  for (let count = 0; count < RUNS; count += 1)
    for (const reader of READERS) used.get(reader)?.push(await run(reader, count === 0 ? WARM : 0))
  console.log('| read | first, ms | further, ms |\n|---|--:|--:|')
  for (const [reader, all] of used) {
    if (all.some(({ isRejected }) => isRejected)) throw new Error('V8 refuses the bytecode')
    const first = all.map((each) => each.first).sort((a, b) => a - b)[RUNS >> 1]
    console.log(`| ${reader} | ${first?.toFixed(1)} | ${all[0]?.each.toFixed(2)} |`)
  }
} finally {
  await dynamo.stop()
  await rm(folder, { recursive: true, force: true })
}

async function run(reader: string, warm: number): Promise<Used> {
  const bundle = join(folder, `test/bench/reading/${reader}.cjs`)
  const program = join(import.meta.dirname, 'reading/run.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, bundle, bundle.replace('.cjs', '.bytecode'), TABLE, `${warm}`],
    {
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      },
    },
  )
  return JSON.parse(stdout)
}
