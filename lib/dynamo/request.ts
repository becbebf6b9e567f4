import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import aws4 from 'aws4'
import type { DynamoAccess } from '#lib/config'

// These functions stand in for the AWS SDK's client, which costs a cold start and each request more time.

/** The longest times for connecting and for the whole request. */
export type TimeOuts = { connectionMilliseconds: number; answerMilliseconds: number }

const CONNECTIONS_MAX = 50

/**
 * Returns the headers of a request to DynamoDB, with its signature (Signature Version 4). `at` is the time of signing, as in
 * `20261123T180000Z`; now by default.
 */
export function signedHeaders(operation: string, body: string, access: DynamoAccess, at?: string) {
  const { headers = {} } = aws4.sign(
    {
      method: 'POST',
      path: '/',
      service: 'dynamodb',
      region: access.region,
      headers: {
        Host: new URL(access.endpoint).host,
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB_20120810.${operation}`,
        ...(at !== undefined && { 'X-Amz-Date': at }),
      },
      body,
    },
    access.credentials,
  )
  return headers
}

/** Sends one signed request. Throws the connection's error, or a `TimeoutError`, when there is no whole answer. */
export async function post(
  operation: string,
  body: string,
  access: DynamoAccess,
  timeOuts?: TimeOuts,
): Promise<{ status: number; text: string }> {
  const headers = signedHeaders(operation, body, access)
  const { protocol, hostname, port } = new URL(access.endpoint)
  const { request, agent } = protocol === 'https:' ? overTls() : plain()
  const outgoing = request({ hostname, port, method: 'POST', agent, headers })
  const stopTimers = timeOuts && startTimers(outgoing, timeOuts)
  try {
    return await answerTo(outgoing.end(body))
  } finally {
    stopTimers?.()
  }
}

/** Reads an answer by its events. The stream's `toArray` makes and aborts an `AbortSignal` for each answer, which is slower. */
const answerTo = (outgoing: ClientRequest): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    outgoing.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        )
    })
  })

function startTimers(outgoing: ClientRequest, timeOuts: TimeOuts): () => void {
  const endAfter = (milliseconds: number) =>
    setTimeout(
      () =>
        outgoing.destroy(
          Object.assign(new Error(`No answer within ${milliseconds} ms`), { name: 'TimeoutError' }),
        ),
      milliseconds,
    )
  const timers = [endAfter(timeOuts.answerMilliseconds)]
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return
    const connecting = endAfter(timeOuts.connectionMilliseconds)
    timers.push(connecting)
    socket.once('connect', () => clearTimeout(connecting))
  })
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

const AGENT_OPTIONS = { keepAlive: true, maxSockets: CONNECTIONS_MAX }

let tlsAgent: https.Agent | undefined
let plainAgent: http.Agent | undefined

function overTls() {
  tlsAgent ??= new https.Agent(AGENT_OPTIONS)
  return { request: https.request, agent: tlsAgent }
}

function plain() {
  plainAgent ??= new http.Agent(AGENT_OPTIONS)
  return { request: http.request, agent: plainAgent }
}

/** Writes the input of an operation as DynamoDB's JSON, which holds bytes as base64. */
export const writeInput = (input: object): string =>
  JSON.stringify(input, function (this: Record<string, unknown>, name, value) {
    // `JSON.stringify` has turned a Buffer in `value` into an object; its holder `this` still has the bytes.
    const found = this[name]
    return found instanceof Uint8Array ? Buffer.from(found).toString('base64') : value
  })

/** Reads an answer in DynamoDB's JSON, with bytes as they were written. */
export function readAnswer<Answer>(text: string): Answer {
  return HAS_BYTES.test(text) ? JSON.parse(text, withBytes) : JSON.parse(text)
}

/** Finds bytes alone: an attribute that is itself named `B` has an object as its value, and quotes in a text are escaped. */
const HAS_BYTES = /"(B|BS)"\s*:\s*["[]/

function withBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return bytesOf(value)
  return name === 'BS' && Array.isArray(value) ? value.map(bytesOf) : value
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
