import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { JOBS_PATH } from '../events/jobs.ts'
import { readSettings } from '../settings.ts'

// `npm run job -- <name> [file] [--at <time>]`: runs one scheduled function of the running stack now, with the event
// that the file holds as JSON, or as if it were another time. A name may be written with hyphens (`rebuild-search` is
// `rebuildSearch`), or shortened to a beginning that no other name has (`reconcile` is `reconcilePayments`).

const Outcome = z.discriminatedUnion('isOk', [
  z.object({ isOk: z.literal(true), result: z.unknown() }),
  z.object({ isOk: z.literal(false), error: z.unknown() }),
])

const { port } = readSettings(process.env)
const { positionals, values } = parseArgs({ allowPositionals: true, options: { at: { type: 'string' } } })
const [given = '', file] = positionals
const name = given.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
if (file !== undefined && values.at !== undefined)
  fail('The file holds the whole event, its time too: give either the file or --at.')
const body = file === undefined ? timed(values.at) : await readFile(file, 'utf8')
const jobs = `http://localhost:${port}${JOBS_PATH}`

const answer = await fetch(jobs).catch(() =>
  fail(`No stack answers on http://localhost:${port}: run npm start first.`),
)
const names = z.array(z.string()).parse(await answer.json())
const [job, other] = names.includes(name) ? [name] : names.filter((each) => each.startsWith(name))
if (!job || other)
  fail(`There is no single schedule called "${name}". There are: ${names.join(', ') || 'none'}.`)
await run(job)

function timed(at: string | undefined): string | null {
  if (at === undefined) return null
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) fail(`"${at}" is no time: 2026-11-20T07:00:00Z is one.`)
  return JSON.stringify({ at: time.toISOString() })
}

async function run(job: string): Promise<void> {
  const response = await fetch(`${jobs}/${encodeURIComponent(job)}`, { method: 'POST', body })
  const text = await response.text()
  if (!response.ok) fail(`The stack answered with ${response.status}: ${text}`)
  const outcome = Outcome.parse(JSON.parse(text))
  console.log(JSON.stringify(outcome.isOk ? outcome.result : outcome.error, null, 2))
  process.exitCode = outcome.isOk ? 0 : 1
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
