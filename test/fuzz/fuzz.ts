import { startedStack } from '#test/support/started-stack'
import { audit } from './audit.ts'
import { newAgent, newUser, openCallers, renewCaller } from './callers.ts'
import { readDescribedApi } from './described-api.ts'
import { isCarriedOut, openJudge } from './judge.ts'
import { clickAt, openAsk, playLife } from './lives.ts'
import { makeRequest } from './make-request.ts'
import { playPasskeys } from './passkeys.ts'
import { openPool } from './pool.ts'
import { seededRandom } from './random.ts'
import { openReport, type Place } from './report.ts'
import { openSchemaCheck } from './schema-check.ts'

// `npm run fuzz`: requests made from the document, valid and broken, by everyone who may call, against a stack of its own.
// Every answer is held to the document. `REQUESTS=50000 SEED=7 npm run fuzz` makes more and others. Findings are printed
// with their seed, and the run ends with 1. The seed decides each request but for ids, tokens and what came before it.

const REQUESTS = Number(process.env['REQUESTS'] ?? 5_000)
const SEED = Number(process.env['SEED'] ?? 20_261_123)
const PORT = Number(process.env['PORT'] ?? 3_390)
const AT_ONCE = 4
const LIVES = 3
/** What payers and their banks do at the sandbox's page. */
const CLICKS = ['pay', 'fail', 'cancel', 'deliver-twice', 'refund', 'dispute', 'win', 'lose', 'pay-again']
/** Lists whose records earlier than the run are sent back too. */
const LISTS = ['/admin/users', '/listings', '/admin/listings', '/admin/events']

const startedAt = performance.now()
const url = `http://localhost:${PORT}`
const report = openReport(url)
const stack = await startedStack(PORT, {
  demoData: true,
  variables: { LOG_FORMAT: 'json' },
  report: report.hear,
})
try {
  await run(stack.directory)
  await audit(url, report)
} finally {
  await stack.stop()
}
const seconds = Math.round((performance.now() - startedAt) / 1_000)
console.log(`\n${REQUESTS} requests in ${seconds} s with SEED=${SEED}`)
process.exitCode = report.end() > 0 ? 1 : 0

async function run(directory: string): Promise<void> {
  const api = await readDescribedApi(url)
  const pool = openPool()
  const judge = openJudge({ url, checkBody: openSchemaCheck(api.document), pool, report })
  const callers = await openCallers({ url, port: PORT, directory })
  const administrator = callers.find(({ scheme }) => scheme === 'console')
  if (administrator?.authorization === undefined) throw new Error('There is no administrator')
  const { authorization } = administrator
  for (const path of LISTS) {
    const answer = await fetch(`${url}${path}`, { headers: { authorization } })
    pool.keep(await answer.json())
  }
  let number = 0
  const nextPlace = (): Place => {
    number += 1
    return { seed: SEED, number }
  }

  const ask = openAsk({ api, judge, nextPlace, report })
  for (let life = 0; life < LIVES; life += 1) {
    const agent = await newAgent(url, authorization)
    await playLife(ask, { agent, customer: await newUser(url), administrator })
  }
  await playPasskeys(ask, { url, report })
  // A life asks until something has happened: how often is not the seed's to decide.
  number = 0

  const carryOut = async (place: Place): Promise<void> => {
    const random = seededRandom(SEED * 1_000_003 + place.number)
    const operation = random.pick(api.operations)
    const request = makeRequest({ random, pool, resolve: api.resolve }, operation, callers)
    const answer = await judge(request, place)
    if (operation.route === 'POST /payments' && isCarriedOut(answer)) {
      await clickAt(answer.text, 'pay')
      if (random.chance(0.5)) await clickAt(answer.text, random.pick(CLICKS))
    }
    await renewCaller(url, callers, request.caller, answer)
  }
  const worker = async () => {
    while (number < REQUESTS) await carryOut(nextPlace())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
