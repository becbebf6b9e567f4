import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that answers on the loopback addresses, and only requests whose `Host` is a name of this machine. */
export type LocalServer = { port: number; stop: () => Promise<void> }

/**
 * Answers on 127.0.0.1 and, where the machine has it, on ::1: `localhost` may resolve to either.
 * Port 0 picks a free one. Throws an error that names the port when somebody else has it.
 */
export async function listenLocally(port: number, listener: RequestListener): Promise<LocalServer> {
  const first = await listenOn('127.0.0.1', port, listener)
  const { port: chosen } = first.address() as AddressInfo
  const second = await listenOn('::1', chosen, listener).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
  })
  return {
    port: chosen,
    stop: async () => {
      await Promise.all([first, second].map((server) => server && close(server)))
    },
  }
}

const listenOn = (host: string, port: number, listener: RequestListener): Promise<Server> =>
  new Promise((resolve, reject) => {
    // Without a limit for a request: an upload of half a gigabyte takes longer than Node's default.
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) =>
      isForThisMachine(request) ? listener(request, response) : refuseHost(request, response),
    )
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const message = `Port ${port} is taken: set PORT to another one.`
      reject(isTaken ? Object.assign(new Error(message), { code: error.code }) : error)
    })
    server.listen(port, host, () => resolve(server))
  })

/** `localhost` and the names below it, `127.…` and `[::1]`, each with a port or without. */
const LOCAL_NAME = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d+)?$/i

/**
 * Whether a request names this machine as its host. A page elsewhere whose own name was made to resolve to 127.0.0.1
 * could otherwise read what only this machine may, such as `/local/mail` (DNS rebinding).
 */
const isForThisMachine = ({ headers }: IncomingMessage): boolean => LOCAL_NAME.test(headers.host ?? '')

function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ message: 'Only requests to localhost are answered' }))
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Throws when one of the ports is taken, before anything is started. */
export async function requireFree(ports: number[]): Promise<void> {
  for (const port of ports) {
    const probe = await listenLocally(port, (_, response) => response.end())
    await probe.stop()
  }
}

/** Finds free ports for processes that cannot choose their own. */
export async function freePorts<Count extends 1 | 2>(
  count: Count,
): Promise<Count extends 1 ? [number] : [number, number]>
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, () => listenLocally(0, (_, response) => response.end())),
  )
  await Promise.all(probes.map((probe) => probe.stop()))
  return probes.map(({ port }) => port)
}
