import { Agent, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { type LocalServer, listenLocally } from '../local-server.ts'

/** A route that only the local stack has. Its path, and everything below it, is answered by `handle`. */
export type LocalRoute = {
  method: string
  /** Such as `/local/mail`. */
  path: string
  handle: (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>
}

type GatewayOptions = { port: number; functionsPort: number; routes: LocalRoute[] }

const LOCAL_PREFIX = '/local/'
/** A page of this machine. */
const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const LARGEST_BODY_BYTES = 10 * 1024 * 1024

/**
 * Starts the gateway of the stack: it answers `/local/*` and passes all other requests on byte for byte. Functions see
 * the caller's own loopback address.
 */
export async function startGateway({ port, functionsPort, routes }: GatewayOptions): Promise<LocalServer> {
  const agent = new Agent({ keepAlive: true })
  const server = await listenLocally(port, (request, response) => {
    if (!request.url?.startsWith('/')) return answer(request, response, 400, 'Bad Request')
    if (request.url.startsWith(LOCAL_PREFIX)) return answerLocally(routes, request, response)
    if (Number(request.headers['content-length']) > LARGEST_BODY_BYTES) return refuseBody(request, response)
    pass(request, response, functionsPort, agent)
  })
  return {
    port: server.port,
    stop: async () => {
      agent.destroy()
      await server.stop()
    },
  }
}

async function answerLocally(routes: LocalRoute[], request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const found = routes.filter(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`))
  allowLocalOrigin(request, response)
  if (found.length > 0 && request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', found.map(({ method }) => method).join(', '))
    response.setHeader('access-control-allow-headers', 'content-type')
    return void response.writeHead(204).end()
  }
  const route = found.find(({ method }) => method === request.method)
  if (!route) return answer(request, response, 404, 'Not Found')
  try {
    await route.handle(request, response, url)
  } catch (error) {
    console.error(error)
    answer(request, response, 500, 'Internal Server Error')
  }
}

function allowLocalOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin !== undefined && LOCAL_ORIGIN.test(origin))
    response.setHeader('access-control-allow-origin', origin)
}

function pass(request: IncomingMessage, response: ServerResponse, port: number, agent: Agent): void {
  const caller = request.socket.remoteAddress
  const upstream = forward({
    host: '127.0.0.1',
    port,
    agent,
    ...(caller?.startsWith('127.') && { localAddress: caller }),
    method: request.method,
    path: request.url,
    headers: request.rawHeaders,
    setHost: false,
  })
  upstream.on('response', (answered) => {
    response.writeHead(
      answered.statusCode ?? 502,
      answered.statusMessage,
      withoutConnection(answered.rawHeaders),
    )
    answered.pipe(response)
    answered.on('error', () => response.destroy())
  })
  // The length of a body in chunks is known only at its end.
  let bytes = 0
  const isTooLarge = () => bytes > LARGEST_BODY_BYTES
  request.on('data', (chunk: Buffer) => {
    if (isTooLarge()) return
    bytes += chunk.length
    if (!isTooLarge()) return
    refuseBody(request, response)
    upstream.destroy()
  })
  upstream.on('error', () => {
    if (!isTooLarge()) answer(request, response, 502, 'Bad Gateway')
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
}

const refuseBody = (request: IncomingMessage, response: ServerResponse): void =>
  answer(request, response, 413, 'Request Entity Too Large')

/**
 * Leaves out the headers about a connection: caller and functions have connections of their own to the gateway.
 * `rawHeaders` lists names and values in turn.
 */
function withoutConnection(rawHeaders: string[]): string[] {
  const isHop = (name: string) =>
    ['connection', 'keep-alive', 'transfer-encoding'].includes(name.toLowerCase())
  return rawHeaders.filter((_, index) => {
    const nameIndex = index - (index % 2)
    return !isHop(rawHeaders[nameIndex] ?? '')
  })
}

/** Answers as API Gateway itself does. Reads the rest of the request, so that the client receives the answer. */
function answer(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  request.unpipe()
  request.resume()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ message }))
}
