import http from 'node:http'
import https from 'node:https'

/** A request of ours to another service. */
type OutgoingRequest = {
  method: string
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  body?: string | undefined
}

/** The answer of the other service. */
type OutgoingAnswer = { status: number; headers: http.IncomingHttpHeaders; body: string }

/**
 * Calls another service over Node's own client, since loading the global `fetch` costs a cold start 25 ms. Follows no
 * redirects. Rejects when the signal aborts, the connection breaks, or the answer has more than `maxBytes`. The signal
 * bounds the whole call: a socket's own time-out starts again with every byte.
 */
export const outgoingCall = (
  { method, url, headers, body }: OutgoingRequest,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<OutgoingAnswer> =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, {
      method,
      headers: { accept: 'application/json', ...length, ...headers },
      signal,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let size = 0
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) outgoing.destroy(new Error('The answer is too large'))
        else chunks.push(chunk)
      })
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    outgoing.end(body)
  })
