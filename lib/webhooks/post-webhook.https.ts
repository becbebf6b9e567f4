import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { dependency } from '#lib/config/config'
import type { PostWebhook, WebhookFault, WebhookPost } from './post-webhook.ts'
import { isReachable } from './reachable-address.ts'

const HEAD_TIMEOUT_MILLISECONDS = 10_000
const BODY_TIMEOUT_MILLISECONDS = 2_000
const ANSWER_MAX_BYTES = 1024

/** Name resolution, the clock and a test for addresses: `isAllowed` must hold for every address of a name. */
type Network = {
  resolve: (host: string) => Promise<LookupAddress[]>
  isAllowed: (address: string) => boolean
  now: () => number
  /** `HEAD_TIMEOUT_MILLISECONDS` unless given. */
  headTimeoutMilliseconds?: number
}

/**
 * Returns a sender over Node's own client. It connects to the address that was checked, even if the name resolves to
 * another one a moment later (DNS rebinding).
 */
export const webhookPoster =
  (network: Network): PostWebhook =>
  async (post) => {
    const startedAt = network.now()
    const took = () => Math.round(network.now() - startedAt)
    const head = deadline(network.headTimeoutMilliseconds ?? HEAD_TIMEOUT_MILLISECONDS)
    try {
      const host = new URL(post.url).hostname.replace(/^\[|\]$/g, '')
      const address = await Promise.race([checkedAddress(host, network), head.passed])
      return { ...(await exchange(post, address, head)), milliseconds: took() }
    } catch (error) {
      return { status: null, answer: null, error: faultOf(error), milliseconds: took() }
    } finally {
      head.lift()
    }
  }

/** Returns the first address of a host. Throws if any of its addresses is not allowed: such a name is not trusted. */
async function checkedAddress(host: string, { resolve, isAllowed }: Network): Promise<LookupAddress> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  const [first] = addresses
  if (first === undefined) throw fault('name_not_found')
  if (!addresses.every(({ address }) => isAllowed(address))) throw fault('address_not_allowed')
  return first
}

type Answered = { status: number; answer: string; error: null }

/** The end of the time for looking up the name, connecting and receiving the head of the answer. */
type Deadline = { passed: Promise<never>; lift: () => void }

function deadline(milliseconds: number): Deadline {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(fault('timed_out')), milliseconds)
  // Without a handler, a rejection that is no longer awaited would end the process.
  promise.catch(() => undefined)
  return { passed: promise, lift: () => clearTimeout(timer) }
}

const exchange = ({ url, headers, body }: WebhookPost, to: LookupAddress, head: Deadline) =>
  new Promise<Answered>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      // Node asks for all addresses of the host, or for one: either way it receives the checked address.
      lookup: (_host, { all }, done) => (all ? done(null, [to]) : done(null, to.address, to.family)),
    })
    head.passed.catch((error: Error) => outgoing.destroy(error))
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      head.lift()
      readStart(outgoing, incoming).then(
        (answer) => resolve({ status: incoming.statusCode ?? 0, answer, error: null }),
        reject,
      )
    })
    // Node announces a change of protocol by an event of its own, and neither an answer nor an error follows.
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, answer: '', error: null })
    })
    outgoing.end(body)
  })

/** Returns the beginning of a body, and ends the connection. */
const readStart = (outgoing: ClientRequest, incoming: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = () => {
      clearTimeout(stop)
      outgoing.destroy()
      // `stream` leaves out a character that the end cuts.
      resolve(new TextDecoder().decode(Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES), { stream: true }))
    }
    const stop = setTimeout(finish, BODY_TIMEOUT_MILLISECONDS)
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= ANSWER_MAX_BYTES) finish()
    })
    incoming.on('end', finish)
    incoming.on('error', finish)
    outgoing.on('error', finish)
  })

const fault = (name: WebhookFault): Error => Object.assign(new Error(name), { fault: name })

function faultOf(error: unknown): WebhookFault {
  const { fault: named, code } = error as { fault?: WebhookFault; code?: string }
  if (named) return named
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA'
    ? 'name_not_found'
    : 'connection_failed'
}

/** The sender as a dependency. On the local stack it may call loopback addresses, too. */
export const postWebhook = dependency(['STAGE'], ({ STAGE }) =>
  webhookPoster({
    resolve: (host) => lookup(host, { all: true, verbatim: true }),
    isAllowed: (address) => isReachable(address) || (STAGE === 'local' && isLoopback(address)),
    now: () => performance.now(),
  }),
)

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
