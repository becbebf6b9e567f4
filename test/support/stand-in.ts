import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a stand-in was sent. */
export type StandInRequest = {
  method: string
  /** With its query, as sent. */
  path: string
  headers: Record<string, string>
  body: string
}

/** How a stand-in answers: with a JSON value or a text, and 200 unless told, or by hanging up. Undefined is a 404. */
export type StandInAnswer = { status?: number; json?: unknown; text?: string } | 'hangs up' | undefined

/** A provider's API played by a server on loopback, which keeps what it was sent. */
export type StandIn = { url: string; requests: StandInRequest[]; close: () => void }

/** Starts a stand-in for a provider's API. */
export async function startStandIn(answer: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const requests: StandInRequest[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(request)
      const answered = answer(request) ?? { status: 404, json: {} }
      if (answered === 'hangs up') return void incoming.socket.destroy()
      const { status = 200, json, text } = answered
      const type = text === undefined ? 'application/json' : 'text/plain'
      response.writeHead(status, { 'content-type': type }).end(text ?? JSON.stringify(json ?? {}))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
