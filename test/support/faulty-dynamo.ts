import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the real DynamoDB does and the emulator does not. All of it is drawn by the seed. */
export type Faults = {
  seed: number
  /** How long a transaction holds its items: another write to one of them meanwhile is refused. */
  holdMilliseconds: number
  /** The share of requests that are carried out and whose connection then breaks off. */
  lostAnswers: number
  /** The share of requests that are refused as too many. */
  throttles: number
  /** How long an index does not show a new item. */
  lagMilliseconds: number
}

/** How often each fault was made. */
type FaultCounts = Record<'conflicts' | 'lost' | 'throttled' | 'hidden', number>

export type FaultyDynamo = {
  endpoint: string
  counts: FaultCounts
  /** Makes faults from now on; undefined makes none. */
  make: (faults: Faults | undefined) => void
  stop: () => Promise<void>
}

type Keyed = { pk: { S: string }; sk: { S: string } }
type Command = {
  TransactItems?: Record<string, { Key?: Keyed; Item?: Keyed }>[]
  Item?: Keyed
  Key?: Keyed
  IndexName?: string
  ClientRequestToken?: string
  RequestItems?: Record<string, unknown>
}
type Answer = { status: number; body: string }
type Asked = { text: string; headers: IncomingHttpHeaders }

const SINGLE_WRITES = ['PutItem', 'UpdateItem', 'DeleteItem']
const WRITES = [...SINGLE_WRITES, 'BatchWriteItem', 'TransactWriteItems']

/**
 * A proxy before the local DynamoDB, on a free port, that makes faults by a seed. Calls `written` after each write, before
 * whoever wrote hears of it.
 */
export async function startFaultyDynamo(
  target: string,
  written: () => void = () => undefined,
): Promise<FaultyDynamo> {
  const agent = new Agent({ keepAlive: true })
  const counts: FaultCounts = { conflicts: 0, lost: 0, throttled: 0, hidden: 0 }
  const held = new Set<string>()
  const done = new Set<string>()
  const firstWritten = new Map<string, number>()
  let faults: Faults | undefined
  let random = Math.random

  const whileHeld = async (keys: readonly string[], milliseconds: number, asked: Asked): Promise<Answer> => {
    for (const key of keys) held.add(key)
    const [answer] = await Promise.all([forward(agent, target, asked), sleep(milliseconds)])
    for (const key of keys) held.delete(key)
    return answer
  }
  const carryOut = async (operation: string, asked: Asked): Promise<Answer> => {
    const command = JSON.parse(asked.text) as Command
    const { ClientRequestToken: token = '', IndexName } = command
    // A transaction that was carried out under its token is not carried out again, whoever holds its items now.
    // They may end meanwhile.
    const made = faults
    if (!made || done.has(token)) return forward(agent, target, asked)
    const keys = keysOf(command)
    const conflict = conflictOf(operation, keys, held)
    if (conflict) {
      counts.conflicts += 1
      return conflict
    }
    if (operation !== 'TransactWriteItems') {
      const answer = await forward(agent, target, asked)
      return IndexName ? lagging(answer, firstWritten, made, counts) : answer
    }
    const answer = await whileHeld(keys, made.holdMilliseconds, asked)
    if (answer.status === 200) done.add(token)
    return answer
  }

  const server = createServer(async (incoming, outgoing) => {
    const text = await bodyOf(incoming)
    const asked = { text, headers: incoming.headers }
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? ''
    if (faults && random() < faults.throttles) {
      counts.throttled += 1
      return send(outgoing, throttled(operation, text))
    }
    const answer = await carryOut(operation, asked)
    if (answer.status === 200) remember(firstWritten, putsOf(JSON.parse(text) as Command))
    if (WRITES.includes(operation)) written()
    if (faults && random() < faults.lostAnswers) {
      counts.lost += 1
      return incoming.socket.destroy()
    }
    return send(outgoing, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    make: (next) => {
      faults = next
      random = next ? seeded(next.seed) : Math.random
    },
    stop: () => stopped(server, agent),
  }
}

/** Numbers from 0 to 1 that a seed always draws in the same order (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const keyOf = ({ pk, sk }: Keyed): string => `${pk.S} ${sk.S}`

const keysOf = ({ TransactItems, Item, Key }: Command): string[] =>
  TransactItems
    ? TransactItems.flatMap((item) =>
        Object.values(item).flatMap((write) => write.Key ?? write.Item ?? []),
      ).map(keyOf)
    : [Key ?? Item].flatMap((key) => (key ? [keyOf(key)] : []))

const putsOf = ({ TransactItems = [], Item }: Command): string[] =>
  [Item, ...TransactItems.map(({ Put }) => Put?.Item)].flatMap((item) => (item ? [keyOf(item)] : []))

/** What a write that meets a held item is told. */
function conflictOf(
  operation: string,
  keys: readonly string[],
  held: ReadonlySet<string>,
): Answer | undefined {
  if (!keys.some((key) => held.has(key))) return undefined
  if (operation === 'TransactWriteItems') {
    return cancelled(keys.map((key) => (held.has(key) ? 'TransactionConflict' : 'None')))
  }
  return SINGLE_WRITES.includes(operation) ? refused('TransactionConflictException') : undefined
}

function remember(firstWritten: Map<string, number>, keys: readonly string[]): void {
  for (const key of keys) if (!firstWritten.has(key)) firstWritten.set(key, performance.now())
}

/** What an index shows: nothing yet of items that are newer than its lag. */
function lagging(
  answer: Answer,
  firstWritten: ReadonlyMap<string, number>,
  { lagMilliseconds }: Faults,
  counts: FaultCounts,
): Answer {
  const page = JSON.parse(answer.body) as { Items?: Keyed[] }
  const shown = (page.Items ?? []).filter(
    (item) =>
      performance.now() - (firstWritten.get(keyOf(item)) ?? Number.NEGATIVE_INFINITY) > lagMilliseconds,
  )
  counts.hidden += (page.Items ?? []).length - shown.length
  return { ...answer, body: JSON.stringify({ ...page, Items: shown, Count: shown.length }) }
}

const refused = (type: string, more: object = {}): Answer => ({
  status: 400,
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'A fault was made',
    ...more,
  }),
})

const cancelled = (codes: readonly string[]): Answer =>
  refused('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) })

/** A transaction says what was throttled among its reasons, a batch leaves all of it undone. */
function throttled(operation: string, text: string): Answer {
  const command = JSON.parse(text) as Command
  if (operation === 'TransactWriteItems') return cancelled(keysOf(command).map(() => 'ThrottlingError'))
  if (operation === 'BatchGetItem') {
    return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys: command.RequestItems }) }
  }
  if (operation === 'BatchWriteItem') {
    return { status: 200, body: JSON.stringify({ UnprocessedItems: command.RequestItems }) }
  }
  return refused('ProvisionedThroughputExceededException')
}

const forward = (agent: Agent, target: string, { text, headers }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(target, { method: 'POST', agent, headers }, (incoming) =>
      bodyOf(incoming).then((body) => resolve({ status: incoming.statusCode ?? 0, body }), reject),
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const send = (outgoing: ServerResponse, { status, body }: Answer): unknown =>
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body)

async function stopped(server: Server, agent: Agent): Promise<void> {
  agent.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
