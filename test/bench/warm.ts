import { parseArgs } from 'node:util'
import { askEach } from '../package/ask-functions.ts'
import type { Lambda } from '../package/lambda.ts'
import { median } from './figures.ts'
import { cpuMilliseconds, startPackagedStack } from './packaged-stack.ts'

// `npm run bench -- warm`: what one request to a warm function takes of the processor, for the busiest routes, beside the
// bare handler's one write with the SDK. Both run as packaged under the real runtime client and take turns.
// `--rounds 11` makes more turns. Never in `npm test`.

const BUSIEST = [
  'searchListings',
  'getFacets',
  'getMap',
  'getListing',
  'getProfile',
  'listFavourites',
  'listNotifications',
  'listEnquiries',
  'listOwnListings',
  'listPayments',
]
const WARMING = 200
const REQUESTS = 200

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })

const stack = await startPackagedStack()
const bare = await stack.startBare()
console.log('| function | status | ms | bare, ms | ÷ bare |\n|---|--:|--:|--:|--:|')
const ratios: number[] = []
try {
  await warm(bare, stack.bareEvent)
  await askEach(
    { ...stack, invoke: ({ name }, event) => measure(name, event) },
    { among: stack.functions.filter(({ name }) => BUSIEST.includes(name)) },
  )
} finally {
  await bare.stop()
  await stack.stop()
}
console.log(`\nmedian ÷ bare: ${median(ratios).toFixed(2)}`)

async function measure(name: string, event: unknown): Promise<unknown> {
  const lambda = await stack.start(name)
  try {
    const outcome = await lambda.invoke(event)
    if (!('result' in outcome)) throw new Error(`${name} failed: ${JSON.stringify(outcome)}`)
    if (BUSIEST.includes(name)) await compare(name, lambda, event, outcome.result)
    return outcome.result
  } finally {
    await lambda.stop()
  }
}

async function compare(name: string, lambda: Lambda, event: unknown, result: unknown): Promise<void> {
  await warm(lambda, event)
  const rounds: { own: number; bare: number }[] = []
  while (rounds.length < Number(values.rounds))
    rounds.push({ own: await cpuOf(lambda, event), bare: await cpuOf(bare, stack.bareEvent) })
  const ratio = median(rounds.map((each) => each.own / each.bare))
  ratios.push(ratio)
  const { statusCode } = result as { statusCode: number }
  const cells = [median(rounds.map(({ own }) => own)), median(rounds.map((each) => each.bare)), ratio]
  console.log(`| ${[name, statusCode, ...cells.map((cell) => cell.toFixed(2))].join(' | ')} |`)
}

async function warm(lambda: Lambda, event: unknown): Promise<void> {
  for (let request = 0; request < WARMING; request += 1) await lambda.invoke(event)
}

/** Returns what one request takes of the processor, in milliseconds, garbage included. */
async function cpuOf(lambda: Lambda, event: unknown): Promise<number> {
  const before = await cpuMilliseconds(lambda)
  for (let request = 0; request < REQUESTS; request += 1) await lambda.invoke(event)
  return ((await cpuMilliseconds(lambda)) - before) / REQUESTS
}
