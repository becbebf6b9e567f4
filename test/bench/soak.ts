import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { consoleToken } from '#lib/local/commands/token'
import { startDynamo } from '#lib/local/dynamodb'
import { localKeys } from '#lib/local/keys'
import { freePorts } from '#lib/local/local-server'
import { openOutput } from '#lib/local/output'
import { startStack } from '#lib/local/stack'
import { seededRandom } from '#test/fuzz/random'
import { startFaultyDynamo } from '#test/support/faulty-dynamo'
import { expectAgreement } from './soak/agree.ts'
import { openClient } from './soak/client.ts'
import { moveClock } from './soak/clock.ts'
import { playLife } from './soak/lives.ts'
import { startLyingProvider } from './soak/lying-provider.ts'
import { openModel } from './soak/model.ts'
import { mortalFunctions } from './soak/mortal-functions.ts'

// `npm run bench -- soak --minutes 60`: mixed traffic at 20 requests a second on a local stack, while the processes of its
// functions are killed after some write, its database loses answers, throttles, holds and lags, the provider lies and
// clocks jump. Then all is calm, a week passes, and the audits, what was done by the model, and the memory of each process must agree.
// Findings end it with 1. Never in `npm test`.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '20261123' },
    port: { type: 'string', default: '3490' },
  },
})
const MINUTES = Number(values.minutes)
const SEED = Number(values.seed)
const PORT = Number(values.port)
const PER_SECOND = 20
/** As many that some always wait for their turn, whatever the others wait for. */
const LIVES_AT_ONCE = 80
const FAULTS = {
  seed: SEED,
  holdMilliseconds: 25,
  lostAnswers: 0.01,
  throttles: 0.01,
  lagMilliseconds: 1_500,
}
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** What passes after the storm: until payments expire, and until payments are read again. */
const CALM_HOURS = [1, 6, 20, 24, 120]
/** Jobs that people run too, in the midst of everything. */
const JOBS = [
  'reconcilePayments',
  'queueDueDeliveries',
  'retryMails',
  'payouts',
  'snapshotSearch',
  'expireUploads',
  'paymentRequests',
  'repeatErasures',
]
const AUDITS = ['auditLedger', 'auditOverview']
/** How much the memory of a process may grow from the second quarter of the time to the last. */
const MOST_GROWTH = 1.25

const url = `http://localhost:${PORT}`
const random = seededRandom(SEED)
const findings: string[] = []
const note = (finding: string) => {
  // The same fault of another item is the same finding.
  const kind = finding.replace(/\w+_[0-9A-Z]{26}/g, 'id')
  if (findings.filter((each) => each.replace(/\w+_[0-9A-Z]{26}/g, 'id') === kind).length < 3) say(finding)
  findings.push(finding)
}

const begunAt = performance.now()
const say = (text: string) => console.log(`${Math.round((performance.now() - begunAt) / SECOND)} s: ${text}`)
const directory = await mkdtemp(join(tmpdir(), 'platform-soak-'))
const dynamo = await startDynamo({ file: join(directory, 'dynamodb.sqlite'), port: (await freePorts(1))[0] })
const functions = mortalFunctions(directory)
let isDoomed = false
const faulty = await startFaultyDynamo(dynamo.endpoint, () => {
  if (isDoomed) functions.kill()
  isDoomed = false
})
const { sandboxWebhookSecret: secret } = await localKeys(directory)
const [providerPort] = await freePorts(1)
const provider = await startLyingProvider({
  directory: join(directory, 'provider'),
  secret,
  gatewayUrl: url,
  port: providerPort,
  random,
})
let heardAt = performance.now()
const causes = new Map<string, number>()
const output = openOutput(
  'json',
  (line) => {
    heardAt = performance.now()
    if (/"message":"job \w+: gave up/.test(line) || line.includes('"level":"fatal"')) note(line)
    const [, cause] = /"status":50[23].*"message":"([^"]+)"/.exec(line) ?? []
    if (cause !== undefined) causes.set(cause, (causes.get(cause) ?? 0) + 1)
    if (line.includes('"status":500')) note(`a function logs ${line.slice(0, 2_000)}`)
  },
  () => new Date(),
)
const stack = await startStack(
  { port: PORT, directory, demoData: false, logFormat: 'json' },
  {
    ...Object.fromEntries(['PATH', 'HOME'].map((name) => [name, process.env[name]])),
    AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
    PAYMENT_PROVIDERS: JSON.stringify({ sandbox: { webhookSecrets: [secret], apiBase: provider.apiUrl } }),
  },
  output,
  functions.start,
)

let isStopping = false
stack.broken.then((reason) => isStopping || note(`the stack breaks: ${reason}`))
dynamo.ended.then((said) => findings.length === 0 && say(`DynamoDB ended: ${said}`))
let ahead = 0
let jumps = 0
const jump = async (milliseconds: number, isExact = false) => {
  ahead += milliseconds
  jumps += 1
  moveClock(ahead)
  // No two clocks are alike.
  await functions.setClock(ahead, () => (isExact ? 0 : random.below(6 * SECOND) - 3 * SECOND))
}

let token = ''
let tokenUntil = 0
const administrator = {
  authorization: async () => {
    if (Date.now() > tokenUntil) {
      token = await consoleToken({ port: PORT, directory }, { sub: 'admin' })
      tokenUntil = Date.now() + HOUR
    }
    return `Bearer ${token}`
  },
  renew: async () => {
    tokenUntil = 0
  },
}
const model = openModel()
const client = openClient({ url, perSecond: PER_SECOND, note })
const runJob = async (name: string): Promise<unknown> => {
  const answer = await fetch(`${url}/local/jobs/${name}`, { method: 'POST' })
  return answer.json()
}

const memory = new Map<string, number[]>()
async function measureMemory() {
  const processes = {
    'functions, never killed': functions.elder(),
    'the rest of the stack, and the bench': process.pid,
    DynamoDB: dynamo.processId,
  }
  for (const [name, processId] of Object.entries(processes)) {
    const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '')
    if (status === '') note(`${name} ended by itself`)
    const mebibytes = Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024)
    memory.set(name, [...(memory.get(name) ?? []), mebibytes])
  }
}

const endsAt = performance.now() + MINUTES * MINUTE
const isOver = () => performance.now() >= endsAt
/** Does something again and again, after so many seconds at least and twice as many at most. */
async function every(seconds: number, act: () => unknown): Promise<void> {
  while (!isOver()) {
    await wait((seconds + random.below(seconds)) * SECOND)
    if (!isOver()) await act()
  }
}
async function live(): Promise<void> {
  while (!isOver())
    await playLife({ url, client, model, random, administrator, note }).catch((error) =>
      note(`a life fails: ${error.stack}`),
    )
}

try {
  say('The storm begins')
  faulty.make(FAULTS)
  provider.lie(true)
  const startedAt = performance.now()
  await Promise.all([
    ...Array.from({ length: LIVES_AT_ONCE }, live),
    wait(MINUTES * MINUTE).then(calm),
    every(30, () => {
      isDoomed = true
    }),
    every(60, () =>
      jump(random.pick([-2 * SECOND, -30 * SECOND, 5 * SECOND, 90 * SECOND, 20 * MINUTE, 2 * HOUR])),
    ),
    every(90, async () => {
      provider.goDown(true)
      await wait(15 * SECOND)
      provider.goDown(false)
    }),
    every(20, () => runJob(random.pick(JOBS))),
    every(15, measureMemory),
    every(60, () => say(progress())),
  ])
  const seconds = (performance.now() - startedAt) / SECOND
  await silence()
  for (const hours of CALM_HOURS) {
    say(`${hours} hours pass in calm`)
    await jump(hours * HOUR, true)
    for (let run = 0; run < 2; run += 1) for (const name of JOBS) await runJob(name)
    await silence()
  }
  await measureMemory()
  for (const name of AUDITS) {
    const outcome = (await runJob(name)) as {
      isOk: boolean
      result?: { faults?: unknown[]; changed?: number }
    }
    const { faults = [], changed = 0 } = outcome.result ?? {}
    if (!outcome.isOk || faults.length > 0 || changed > 0)
      note(`${name} finds what does not agree: ${JSON.stringify(outcome)}`)
  }
  say('All is compared with the model')
  await expectAgreement({ url, model, administrator, note })
  report(seconds)
} finally {
  isStopping = true
  await stack.stop()
  await provider.stop()
  await faulty.stop()
  await dynamo.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(findings.length > 0 ? 1 : 0)

/** Ends all faults, so that the lives that have begun come to their end. */
function calm(): void {
  say(`The storm is over: ${(answerCount() / (MINUTES * 60)).toFixed(1)} requests a second`)
  faulty.make(undefined)
  provider.lie(false)
}

function progress(): string {
  const { people, listings, payments } = model
  const answers = [...client.counts].map(([what, count]) => `${count} × ${what}`).join(', ')
  return `${people.length} people, ${listings.length} listings, ${payments.length} payments; ${answers}`
}

/** Resolves when what follows has been done: nothing was printed for a while. */
async function silence(): Promise<void> {
  for (let waits = 0; performance.now() - heardAt < 5 * SECOND && waits < 300; waits += 1) await wait(SECOND)
}

function answerCount(): number {
  return [...client.counts.values()].reduce((sum, count) => sum + count, 0)
}

function report(seconds: number): void {
  const answers = answerCount()
  const times = client.times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  const counted = [...client.counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => `${what}: ${count}`)
  console.log(
    `\n${answers} requests in ${Math.round(seconds)} s with SEED=${SEED}: ${(answers / seconds).toFixed(1)} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
  console.log(counted.join(', '))
  console.log(`502 and 503 because of: ${JSON.stringify(Object.fromEntries(causes))}`)
  console.log(`functions killed: ${functions.deaths()}, clocks moved: ${jumps}`)
  console.log(`faults of the database: ${JSON.stringify(faulty.counts)}`)
  console.log(`lies of the provider: ${JSON.stringify(provider.counts)}`)
  const { people, listings, enquiries, payments } = model
  console.log(
    `${people.length} people, ${listings.length} listings, ${enquiries.length} enquiries, ${payments.length} payments`,
  )
  for (const [name, all] of memory) {
    const quarter = Math.ceil(all.length / 4)
    const [second, last] = [mean(all.slice(quarter, 2 * quarter)), mean(all.slice(-quarter))]
    console.log(`${name}: ${all[0]} MiB first, ${second} in the second quarter, ${last} in the last`)
    if (last > second * MOST_GROWTH) note(`${name} grows: ${all.join(' ')} MiB`)
  }
  console.log(`${findings.length} findings`)
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, each) => sum + each, 0) / numbers.length)
}
