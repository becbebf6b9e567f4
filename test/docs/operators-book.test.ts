import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { overviewPartitions } from '#lib/administration/overview/overview.keys'
import { accountValues } from '#lib/deploy/account-values'
import { RESERVED_CONCURRENCY } from '#lib/deploy/doctor'
import { ROTATED } from '#lib/deploy/rotation'
import { readGuides } from '#lib/docs/guide-list'
import { changeLogPartitions } from '#lib/dynamo/dynamo.keys'
import { functionAlarms } from '#lib/package/template/function-alarms'
import { REREAD_DAYS } from '#lib/payments/state/schedule'
import { READINGS_A_MINUTE } from '#lib/providers/circuit-breaker'
import { LANES } from '#lib/webhooks/delivery-store.dynamo'
import { describedAlarms } from '#test/support/alarms'

const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
const first = (row: string) => /^\| `(\w+)` \|/.exec(row)?.[1] ?? ''

it('says of every alarm what it means and what to do', () => {
  const ofFunctions = functionAlarms({
    stackName: 'platform-api-prod',
    queues: ['sendMail'],
    ordered: [],
    scheduled: [
      { job: 'retryMails', everySeconds: 60, rule: 'RetryMailsRule' },
      { job: 'auditLedger', everySeconds: 3600, rule: 'AuditLedgerRule' },
    ],
    reserved: ['login'],
  })
  const ids = [
    ...describedAlarms().map(({ id }) => id),
    ...Object.keys(ofFunctions).map((id) => id.replace(/Alarm$/, '')),
  ]
  const rows = book.split('\n').filter((row) => /^\| `[A-Z]\w+` \| \S.+ \| \S.+ \|$/.test(row))
  expect(rows.map(first).sort()).toEqual(ids.sort())
})

it('says of every variable of a function what it means', async () => {
  const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { custom } = parse(text, { logLevel: 'silent' })
  const names = Object.keys(custom.variables).filter((name) => !name.startsWith('AWS_'))
  expect(names.length).toBeGreaterThan(40)
  const chapter = book.slice(book.indexOf('## Variables'), book.indexOf('### What a function may do'))
  expect(names.filter((name) => !chapter.includes(`\`${name}\``))).toEqual([])
})

it('says of every key of a stage how it is rotated', () => {
  const keys = accountValues('prod', {}).filter(({ what }) => /key|proves itself/.test(what))
  const names = keys.map(({ name }) => name.replace(/.*\//, ''))
  expect(names.length).toBeGreaterThan(4)
  const rotating = book.slice(book.indexOf('## Rotating keys'), book.indexOf('## Restoring'))
  expect(names.filter((name) => !rotating.includes(`\`${name}\``))).toEqual([])
})

it('says of every key that rotates by steps what follows each of them', () => {
  const rows = book.split('\n').filter((row) => /^\| `[a-z-]+`.* \| .+ \| .+ \| .+ \|.*\|$/.test(row))
  expect(rows.map((row) => row.split('`')[1])).toEqual([...ROTATED])
})

it('leaves nothing of a stage behind in SSM when it is torn down', () => {
  const tearingDown = book.slice(book.indexOf('## Tearing down'), book.indexOf('## What it costs'))
  const [, loop = ''] = /for KEY in ([^;]+);/.exec(tearingDown) ?? []
  const stored = accountValues('prod', { console: 'external' }).filter(({ store }) => store !== 'secret')
  const names = [...stored.map(({ name }) => name.replace(/.*\//, '')), 'release-parameters']
  const external = ['console-issuer', 'console-audience']
  expect(names.filter((name) => !loop.split(' ').includes(name))).toEqual(external)
  expect(external.filter((name) => !tearingDown.includes(`\`${name}\``))).toEqual([])
})

it('names every job that is started by hand, and no function that there is not', async () => {
  const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { functions } = parse(text, { logLevel: 'silent' }) as {
    functions: Record<string, { events?: { schedule?: { enabled?: boolean } }[] }>
  }
  const byHand = Object.keys(functions).filter((name) =>
    functions[name]?.events?.some(({ schedule }) => schedule?.enabled === false),
  )
  expect(byHand.filter((name) => !book.includes(`\`${name}\``))).toEqual([])
  const invoked = [...book.matchAll(/--function (\w+)/g)].map(([, name = '']) => name)
  expect(invoked.filter((name) => !(name in functions))).toEqual([])
  expect(invoked.length).toBeGreaterThan(2)
})

it('says what breaks first by the limits that the code has', async () => {
  const chapter = book.slice(book.indexOf('## What breaks first'), book.indexOf('## What it costs'))
  const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { functions, resources } = parse(text, { logLevel: 'silent' })
  const { ThrottlingRateLimit } = resources.at(-1).extensions.HttpApiStage.Properties.DefaultRouteSettings
  const paymentsADay = Math.floor((READINGS_A_MINUTE * 60 * 24) / REREAD_DAYS.length)
  const stated = [
    `takes ${ThrottlingRateLimit} requests a second for one route`,
    `is sent ${LANES.sending} deliveries at once`,
    `about ${READINGS_A_MINUTE} payments a minute`,
    `${paymentsADay.toLocaleString('en')} payments a day for each account`,
    `whose ${overviewPartitions().length} rows`,
    `${overviewPartitions().length * 60} in all`,
    `in ${changeLogPartitions('2027-01-31').length} partitions`,
    `${functions.paymentCallback.reservedConcurrency} callbacks at once`,
    `${functions.login.reservedConcurrency} sign-ins at once`,
    `of which ${RESERVED_CONCURRENCY} are reserved`,
    `fill a search function's ${functions.searchListings.memorySize.toLocaleString('en')} MB`,
  ]
  expect(stated.filter((figure) => !chapter.includes(figure))).toEqual([])
})

it('says what concurrency the functions reserve, and what quota of an account is enough for it', async () => {
  const text = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { functions } = parse(text, { logLevel: 'silent' }) as {
    functions: Record<string, { reservedConcurrency?: number }>
  }
  const reserved = Object.values(functions).map(({ reservedConcurrency = 0 }) => reservedConcurrency)
  expect(RESERVED_CONCURRENCY).toBe(reserved.reduce((sum, each) => sum + each))
  expect(book).toContain(`each reserves a concurrency of ${RESERVED_CONCURRENCY},`)
  expect(book).toContain(`a quota under ${RESERVED_CONCURRENCY + 100} refuses it`)
})

it('names no command of ours that there is not', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const named = [...book.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
