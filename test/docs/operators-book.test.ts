import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { accountValues } from '#lib/deploy/account-values'
import { ROTATED } from '#lib/deploy/rotation'
import { readGuides } from '#lib/docs/guide-list'
import { alarmsOf } from '#lib/package/template/watched'

const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
const first = (row: string) => /^\| `(\w+)` \|/.exec(row)?.[1] ?? ''

it('says of every alarm what it means and what to do', () => {
  const alarms = alarmsOf({
    stackName: 'platform-api-prod',
    stage: 'prod',
    region: 'eu-west-1',
    queues: ['sendMail'],
    ordered: [],
    scheduled: [
      { job: 'retryMails', everySeconds: 60, rule: 'RetryMailsRule' },
      { job: 'auditLedger', everySeconds: 3600, rule: 'AuditLedgerRule' },
    ],
    reserved: ['login'],
    indexes: [],
    alertEmail: undefined,
  })
  const rows = book.split('\n').filter((row) => /^\| `[A-Z]\w+` \| \S.+ \| \S.+ \|$/.test(row))
  expect(rows.map(first).sort()).toEqual(alarms.map(({ id }) => id).sort())
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

it('names no command of ours that there is not', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const named = [...book.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
