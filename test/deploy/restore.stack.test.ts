import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tableNameOf } from '#lib/deploy/stack-table'
import { readGuides } from '#lib/docs/guide-list'
import { openTable } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { consoleToken } from '#lib/local/commands/token'
import { connectLocally, localDynamoClient } from '#lib/local/dynamodb'
import { type LocalServer, listenLocally } from '#lib/local/local-server'
import { portsFrom } from '#lib/local/ports'
import { paymentDueKey, paymentKey } from '#lib/payments/payment.keys'
import { copyTable } from '#test/support/copied-table'
import { type StartedStack, startedStack } from '#test/support/started-stack'

// The chapter "Restoring" of the operator's book, run as it stands, in one shell, on the local stack. Stand-ins: for `aws`,
// test/support/aws.ts; for a release, the stack that starts again with the table that the release names.

/** Below the ports of the parts of a stack, and beside those of other tests. */
const PORT = 1_500 + (process.pid % 1_400)
const ENDPOINT = `http://127.0.0.1:${portsFrom(PORT).dynamodb}`
const OLD = 'platform-local'
const MOMENT = `${OLD}-moment`
const PASSWORD = 'a quiet harbour at dusk'
const PAST = '2026-01-01T00:00:00.000Z'

const AWS = fileURLToPath(new URL('../support/aws.ts', import.meta.url))

const PRELUDE = `
ROOT=$PWD
cd "$LOCAL_DIR"
aws() { node "${AWS}" "$@"; }
npm() {
  echo "npm $*" >> commands
  case "$*" in
    *restoredTable=*no-rollback*|*no-rollback*restoredTable=*)
      all="$*"; echo "\${all##*restoredTable=}" > switch
      until [ -e switched ]; do sleep 0.2; done ;;
    "run redrive"*) (cd "$ROOT" && command npm run --silent redrive) ;;
  esac
}
npx() {
  local name path
  while [ $# -gt 0 ]; do
    case $1 in --function) name=$2 ;; --path) path="$PWD/$2" ;; esac
    shift
  done
  (cd "$ROOT" && command npm run --silent job -- "$name" $path)
}
`

/** The commands of the chapter, for the second after which everything is lost. */
function commandsFor(second: string): string {
  const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
  const chapter = book.slice(book.indexOf('## Restoring'), book.indexOf('## Erasing on demand'))
  const blocks = [...chapter.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  const commands = blocks.join('\n').replace(/SECOND=\S+/, `SECOND=${second}`)
  if (!commands.includes(second)) throw new Error('The chapter names no second')
  return commands
}

type Answer<Body> = { status: number; body: Body }
type Person = { id: string; email: string; name: string; token: string; refreshToken: string }
type Heard = { id: string; type: string; subject: string }

const heard: Heard[] = []
let directory: string
let stack: StartedStack
let restored: StartedStack
let client: DynamoDBClient
let receiver: LocalServer
let admin: string
let NEW: string
let output: string

async function send<Body = unknown>(
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Answer<Body>> {
  const response = await fetch(new URL(path, stack.url), {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `key-${Math.random()}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text || '{}') }
}

async function register(name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@example.com`
  const registration = { email, password: PASSWORD, name: `${name} Mensah` }
  const { status, body } = await send<{ user: { id: string }; accessToken: string; refreshToken: string }>(
    'POST',
    '/auth/register',
    registration,
  )
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { user, accessToken, refreshToken } = body
  return { id: user.id, email, name: `${name} Mensah`, token: accessToken, refreshToken }
}

const login = ({ email }: Person) =>
  send<{ accessToken: string }>('POST', '/auth/login', { email, password: PASSWORD })

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isSo()) return
    await wait(200)
  }
  throw new Error(`Never came: ${what}`)
}

const isHeard = (type: string, subject: string) =>
  heard.some((each) => each.type === type && each.subject === subject)
/** Who was sent a mail and about what, newest first. */
const mails = async (): Promise<string[]> =>
  (await send<{ items: { to: string; subject: string }[] }>('GET', '/local/mail')).body.items.map(
    ({ to, subject }) => `${to}: ${subject}`,
  )
const titles = async () =>
  (await send<{ items: { title: string }[] }>('GET', '/listings')).body.items.map(({ title }) => title).sort()

async function itemsOf(TableName: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    items.push(...Items.map((item) => unmarshall(item)))
  return items
}

/** Waits until these people have their mail and the table says that nothing is left to send, however busy the machine is. */
const allSent = (table: string, ...people: Person[]): Promise<void> =>
  until('all mails and deliveries', async () => {
    const sent = await mails()
    const isMailed = people.every(({ email }) => sent.some((mail) => mail.startsWith(`${email}: `)))
    const left = (await itemsOf(table)).filter(({ pk }) => /^(DELIVERIES|MAIL)-(DUE|QUEUED)#/.test(`${pk}`))
    return isMailed && left.length === 0
  })

/** Lets the reconciliation find a payment due at its next run, and not only in ten minutes. */
async function makeDue(payment: string): Promise<void> {
  const table = openTable(MOMENT, connectLocally(ENDPOINT))
  const id = PaymentId.parse(payment)
  const item = await table.get(paymentKey(id))
  const entry = await table.get(paymentDueKey(String(item?.['dueAt']), id))
  if (!item || !entry) throw new Error('The payment is not due')
  await table.writeEach([
    { put: { ...item, dueAt: PAST } },
    { put: { ...entry, ...paymentDueKey(PAST, id) } },
    { remove: paymentDueKey(String(item['dueAt']), id) },
  ])
}

let ada: Person
let gone: Person
let late: Person
let payment: { id: string; checkout: { url: string } }
let titlesBefore: string[]
let mailsBefore: string[]
let heardBefore: Heard[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platform-restore-'))
  stack = await startedStack(PORT, { demoData: true, directory })
  client = localDynamoClient(ENDPOINT)
  admin = await consoleToken({ port: PORT, directory }, { sub: 'admin' })
  receiver = await listenLocally(0, async (request, response) => {
    const { type, subject } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    heard.push({ id: `${request.headers['webhook-id']}`, type, subject })
    response.writeHead(204).end()
  })
  const types = ['user.registered', 'user.deleted', 'payment.status_changed']
  await send('POST', '/admin/webhooks', { url: `http://localhost:${receiver.port}/`, types }, admin)

  // What is there at the moment to which the table is restored.
  ada = await register('Ada')
  gone = await register('Gone')
  const wanted = { provider: 'sandbox', amount: 5_000, currency: 'XOF', purpose: 'fee' }
  payment = (await send<typeof payment>('POST', '/payments', wanted, ada.token)).body
  await until('both registrations', () => [ada, gone].every(({ id }) => isHeard('user.registered', id)))
  titlesBefore = await titles()
  await allSent(OLD, ada, gone)
  await copyTable(client, OLD, MOMENT)
  await makeDue(payment.id)
  const second = new Date().toISOString().slice(0, 19)

  // What happens afterwards, and is lost.
  await fetch(payment.checkout.url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
  const ended = await send('DELETE', '/auth/profile', { password: PASSWORD }, gone.token)
  if (ended.status !== 204) throw new Error(JSON.stringify(ended.body))
  late = await register('Late')
  await until('the payment', () => isHeard('payment.status_changed', payment.id))
  await until(
    'the last events',
    () => isHeard('user.deleted', gone.id) && isHeard('user.registered', late.id),
  )
  await until('the erasure', async () =>
    (await itemsOf(OLD)).some(({ kind, erasedAt }) => kind === 'deletion' && erasedAt !== null),
  )
  for (const { pk, sk, kind } of await itemsOf(OLD)) {
    if (kind === 'account' || kind === 'listing')
      await client.send(
        new DeleteItemCommand({ TableName: OLD, Key: { pk: { S: `${pk}` }, sk: { S: `${sk}` } } }),
      )
  }
  await allSent(OLD, ada, gone, late)
  mailsBefore = await mails()
  heardBefore = [...heard]

  const walked = stack.run(PRELUDE + commandsFor(second))
  const stream = () => readFile(join(directory, 'switch'), 'utf8').catch(() => '')
  await Promise.race([until('the release', async () => (await stream()).endsWith('\n')), walked])
  NEW = tableNameOf((await stream()).trim())
  await stack.stop()
  restored = await startedStack(PORT, { demoData: false, directory, variables: { TABLE_NAME: NEW } })
  await writeFile(join(directory, 'switched.new'), '')
  await rename(join(directory, 'switched.new'), join(directory, 'switched'))
  output = await walked
}, 240_000)

afterAll(async () => {
  client?.destroy()
  await restored?.stop()
  await receiver?.stop()
  await stack?.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('a restored table', () => {
  it('brings back accounts, sessions and public lists', async () => {
    expect((await login(ada)).status).toBe(200)
    expect((await send('POST', '/auth/refresh', { refreshToken: ada.refreshToken })).status).toBe(200)
    expect(titlesBefore.length).toBeGreaterThan(1)
    expect(await titles()).toEqual(titlesBefore)
    expect((await login(late)).status).toBe(401)
  })

  it('learns from the provider that a payment was paid after that second', async () => {
    await restored.run('npm run --silent job -- reconcilePayments')
    const { accessToken } = (await login(ada)).body
    expect(await send('GET', `/payments/${payment.id}`, undefined, accessToken)).toMatchObject({
      body: { status: 'SUCCEEDED' },
    })
  })

  it('holds nobody any more who was erased after that second', async () => {
    expect(output).toMatch(/"erased": 1,\s+"waiting": \[\]/)
    expect((await login(gone)).status).toBe(401)
    expect((await send('GET', `/admin/users/${gone.id}`, undefined, admin)).status).toBe(404)
    expect(JSON.stringify(await itemsOf(MOMENT))).toContain(gone.email)
    expect(JSON.stringify(await itemsOf(NEW))).not.toMatch(new RegExp(`${gone.email}|${gone.name}`))
  })

  it('announces nothing a second time, and everything that happens from then on', async () => {
    const newcomer = await register('Newcomer')
    await until('the newcomer', () => isHeard('user.registered', newcomer.id))
    // Both happen again, since the restored table knows nothing of them.
    const again = () => heard.slice(heardBefore.length)
    await until('the second erasure', () => again().some(({ subject }) => subject === gone.id))
    await until('the second word of the payment', () => again().some(({ subject }) => subject === payment.id))
    await allSent(NEW, newcomer)
    await wait(2_000)
    const since = again().map(({ type, subject }) => `${type} ${subject}`)
    expect(new Set(since)).toEqual(
      new Set([
        `user.deleted ${gone.id}`,
        `payment.status_changed ${payment.id}`,
        `user.registered ${newcomer.id}`,
      ]),
    )
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
    expect(await mails()).toEqual([`${newcomer.email}: Confirm your e-mail address`, ...mailsBefore])
  })

  it('has its stream, its time to live and its protection, and the old table is gone', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: NEW }))
    expect(Table).toMatchObject({
      DeletionProtectionEnabled: true,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: NEW }))
    expect(TimeToLiveDescription?.AttributeName).toBe('expiresAtSeconds')
    await expect(client.send(new DescribeTableCommand({ TableName: OLD }))).rejects.toThrow('not found')
  })
})

describe('the chapter on restoring', () => {
  const kept = (file: string) => readFile(join(directory, file), 'utf8')

  it('lists every event that is lost, and nobody but those who were erased', async () => {
    const lost = await kept('lost.txt')
    expect(lost).toMatch(new RegExp(`\tuser.registered\t${late.id}$`, 'm'))
    expect(lost).toMatch(new RegExp(`\tpayment.status_changed\t${payment.id}$`, 'm'))
    expect(lost).not.toContain(`user.registered\t${ada.id}`)
    expect(JSON.parse(await kept('erased.json'))).toEqual({ userIds: [gone.id] })
  })

  it('stops writes to the old table first, and makes the new one part of the stack last', async () => {
    const asked = (await kept('aws.log')).split('\n')
    const order = [
      'put-resource-policy',
      'restore-table-to-point-in-time',
      'update-continuous-backups',
      'delete-table',
    ]
    const places = order.map((name) => asked.findIndex((line) => line.startsWith(`dynamodb ${name} `)))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
    expect(await kept('commands')).toMatch(
      /release.*restoredTable[\s\S]*import-table.*restoredTable.*\nnpm run release -- --stage prod --region eu-west-1\n$/,
    )
  })
})
