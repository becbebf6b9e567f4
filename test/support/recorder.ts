import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, mkdirSync } from 'node:fs'
import { S3Client } from '@aws-sdk/client-s3'
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner'
import type { HttpSpec, JobSpec } from '#lib/http/spec'
import { RECORDINGS, type Sent } from '#lib/package/policies/recording'
import { TEST_BUCKETS } from './test-stack.ts'

const running = new AsyncLocalStorage<string>()

/** Acts as a function: what it sends meanwhile is recorded under the function's name. */
export const recorded = <T>(spec: HttpSpec | JobSpec, act: () => T): T => running.run(nameOf(spec), act)

/** Acts as nobody, in the midst of a function: what a test lets happen meanwhile is not the function's. */
export const unrecorded = <T>(act: () => T): T => running.exit(act)

const nameOf = (spec: HttpSpec | JobSpec): string => {
  if (spec.kind === 'job') return spec.name
  return spec.kind === 'callback' ? spec.routes[0] : spec.route
}

type Command = { constructor: { name: string }; input: Record<string, unknown> }
type Client = { config: { serviceId: string }; send: (command: Command, ...rest: unknown[]) => unknown }

const seen = new Set<string>()

/**
 * Records what every client of the SDK sends from now on, and returns what ends that and appends it to the run's records in a
 * file of this name. All clients of the SDK share one base.
 */
export function startRecorder(file: string): () => void {
  const base = Object.getPrototypeOf(S3Client.prototype) as Client
  const { send } = base
  base.send = function (this: Client, command: Command, ...rest: unknown[]) {
    const by = running.getStore()
    if (by !== undefined) {
      note(by, this.config.serviceId, command.constructor.name.replace(/Command$/, ''), command.input)
    }
    return send.call(this, command, ...rest)
  }
  const stopLinkRecorder = startLinkRecorder()
  return () => {
    base.send = send
    stopLinkRecorder()
    keepRecording(file)
  }
}

/** Records what links are signed for from now on: S3 grants a link what the role of its signer is granted. */
function startLinkRecorder(): () => void {
  const { presign } = S3RequestPresigner.prototype
  S3RequestPresigner.prototype.presign = function (request, options) {
    const by = running.getStore()
    const [bucket = '', key = ''] = request.path.slice(1).split(/\/(.*)/)
    const command = request.method === 'PUT' ? 'PutObject' : 'GetObject'
    // The SDK finds a bucket's address by signing a link that nobody is given.
    const isGiven = key.includes('/')
    if (by !== undefined && isGiven) {
      keep({ by, service: 'S3', command, touched: objectsOf({ Bucket: bucket, Key: key }) })
    }
    return presign.call(this, request, options)
  }
  return () => {
    S3RequestPresigner.prototype.presign = presign
  }
}

function keepRecording(file: string): void {
  if (seen.size === 0) return
  mkdirSync(RECORDINGS, { recursive: true })
  appendFileSync(new URL(`${file}.jsonl`, RECORDINGS), `${[...seen].join('\n')}\n`)
  seen.clear()
}

function note(by: string, service: string, command: string, input: Command['input']): void {
  for (const part of partsOf(service, command, input)) keep({ by, service, ...part })
  const [bucket = '', source] = String(input['CopySource'] ?? '').split(/\/(.*)/)
  if (source !== undefined) {
    keep({ by, service, command: 'GetObject', touched: objectsOf({ Bucket: bucket, Key: source }) })
  }
}

const keep = (sent: Sent): void => void seen.add(JSON.stringify(sent))

const PARTITION = /^[^#]*#?/

/** The parts of a command: each item of a transaction needs a permission of its own. */
function partsOf(
  service: string,
  command: string,
  input: Record<string, unknown>,
): Pick<Sent, 'command' | 'touched'>[] {
  if (service !== 'DynamoDB') return [{ command, touched: objectsOf(input) }]
  const { TransactItems, RequestItems } = input as {
    TransactItems?: Record<string, Keyed>[]
    RequestItems?: Record<string, { Keys?: Marshalled[] } | { PutRequest?: Keyed; DeleteRequest?: Keyed }[]>
  }
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([name, part]) => ({
        command: name === 'ConditionCheck' ? 'ConditionCheckItem' : `${name}Item`,
        touched: partitions([part]),
      })),
    )
  }
  if (RequestItems) {
    const parts = Object.values(RequestItems).flatMap((requests) =>
      Array.isArray(requests)
        ? requests.flatMap(({ PutRequest, DeleteRequest }) => PutRequest ?? DeleteRequest ?? [])
        : (requests.Keys ?? []).map((Key) => ({ Key })),
    )
    return [{ command, touched: partitions(parts) }]
  }
  return [{ command, touched: partitions([input as Keyed]) }]
}

type Marshalled = Record<string, { S?: string }>
type Keyed = {
  Key?: Marshalled
  Item?: Marshalled
  IndexName?: string
  ExpressionAttributeValues?: Marshalled
}

/** The kinds of partitions: a key up to its first `#`, so that recordings stay small. */
function partitions(parts: readonly Keyed[]): Record<string, string[]> {
  const touched: Record<string, string[]> = {}
  for (const { Key, Item, IndexName, ExpressionAttributeValues } of parts) {
    const key = (Key ?? Item)?.['pk']?.S ?? ExpressionAttributeValues?.[':pk']?.S ?? ''
    const place = IndexName === undefined ? 'table' : `index/${IndexName}`
    touched[place] = [...new Set([...(touched[place] ?? []), PARTITION.exec(key)?.[0] ?? ''])].sort()
  }
  return touched
}

const OBJECT_NAME = /[^/]*$/
const ANY_ID = /[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g

/** The buckets of the tests as the template names them. */
const RESOURCES: Readonly<Record<string, string>> = {
  [TEST_BUCKETS.media]: 'MediaBucket',
  [TEST_BUCKETS.documents]: 'DocumentsBucket',
}

/** The bucket, queue or parameter of a command, with the folders of its objects. */
function objectsOf(input: Record<string, unknown>): Record<string, string[]> {
  const place = String(input['Bucket'] ?? input['QueueUrl'] ?? input['Name'] ?? input['SecretId'] ?? '')
  const { Objects } = (input['Delete'] ?? {}) as { Objects?: { Key: string }[] }
  const keys = Objects?.map(({ Key }) => Key) ?? [String(input['Key'] ?? input['Prefix'] ?? '')]
  return { [RESOURCES[place] ?? place]: [...new Set(keys.map(folderOf))].sort() }
}

/** The folder of an object, whose ids are left out. */
const folderOf = (key: string): string => key.replace(OBJECT_NAME, '').replaceAll(ANY_ID, '*')
