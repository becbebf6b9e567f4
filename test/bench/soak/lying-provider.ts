import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openSandbox } from '#lib/local/sandbox/sandbox-server'
import type { Random } from '#test/fuzz/random'

/** How often each lie was told. */
type LieCounts = Record<
  'lostAnswers' | 'refusals' | 'nonsense' | 'outdated' | 'lostCallbacks' | 'repeated' | 'late' | 'forged',
  number
>

type LyingProvider = {
  /** Where its API is. */
  apiUrl: string
  counts: LieCounts
  /** Lies from now on, or speaks the truth again. */
  lie: (isLying: boolean) => void
  /** Answers every call with an error, or is back. */
  goDown: (isDown: boolean) => void
  stop: () => Promise<void>
}

type Options = { directory: string; secret: string; gatewayUrl: string; port: number; random: Random }
type Callback = { headers: Record<string, string>; body: Buffer<ArrayBuffer> }

const CALLBACK = '/payments/callback/sandbox'
const API = '/api'
const PAGES = '/local/sandbox'
const LATE_MILLISECONDS = 20_000

/**
 * The sandbox behind a server that lies for it: its API loses answers, refuses, answers nonsense and what was true before;
 * its callbacks get lost, come twice, late and beside forged ones. What is said of money otherwise is true.
 */
export async function startLyingProvider(options: Options): Promise<LyingProvider> {
  const { directory, secret, gatewayUrl, port, random } = options
  const url = `http://localhost:${port}`
  const sandbox = openSandbox({ directory, publicUrl: url, secret })
  const counts: LieCounts = {
    lostAnswers: 0,
    refusals: 0,
    nonsense: 0,
    outdated: 0,
    lostCallbacks: 0,
    repeated: 0,
    late: 0,
    forged: 0,
  }
  const earlier = new Map<string, string>()
  const stopped = new AbortController()
  let isLying = false
  let isDown = false
  const tells = (lie: keyof LieCounts, probability: number): boolean => {
    const isTold = isLying && random.chance(probability)
    if (isTold) counts[lie] += 1
    return isTold
  }

  const deliver = async ({ headers, body }: Callback): Promise<number> => {
    const answer = await fetch(`${gatewayUrl}${CALLBACK}`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  const callBack = async (asked: Callback, response: ServerResponse) => {
    if (tells('lostCallbacks', 0.15)) return response.writeHead(200).end()
    if (tells('forged', 0.1)) {
      const forged = asked.body.toString().replace(/"amount":(\d+)/, '"amount":1')
      await deliver({ ...asked, body: Buffer.from(forged.replace('succeeded', 'failed')) })
    }
    if (tells('late', 0.1)) {
      wait(LATE_MILLISECONDS, undefined, { signal: stopped.signal })
        .then(() => deliver(asked))
        .catch(() => undefined)
      return response.writeHead(200).end()
    }
    const statuses = await Promise.all([deliver(asked), ...(tells('repeated', 0.15) ? [deliver(asked)] : [])])
    return response.writeHead(Math.min(...statuses)).end()
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const place = new URL(incoming.url ?? '/', url)
    if (place.pathname === CALLBACK) return callBack(await callbackIn(incoming), response)
    // Pages show the truth.
    const isApi = place.pathname.startsWith(API)
    place.pathname = place.pathname.replace(API, PAGES)
    const route = sandbox.routes.find(
      ({ method, path }) => method === incoming.method && place.pathname.startsWith(path),
    )
    if (!route) return response.writeHead(404).end()
    if (!isApi) return route.handle(incoming, response, place)
    if (isDown || tells('refusals', 0.04)) return response.writeHead(random.pick([429, 500, 503])).end('{}')
    if (tells('nonsense', 0.03)) return response.writeHead(200).end('<html>We are working on it</html>')
    const known = earlier.get(place.pathname)
    if (incoming.method === 'GET' && known !== undefined && tells('outdated', 0.1))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(known)
    const end = response.end.bind(response)
    const isLost = tells('lostAnswers', 0.05)
    response.end = (text: unknown) => {
      if (incoming.method === 'GET' && known === undefined) earlier.set(place.pathname, `${text}`)
      return isLost ? response.destroy() : end(text)
    }
    await route.handle(incoming, response, place)
  }
  const server = createServer((incoming, response) => {
    Promise.resolve(serve(incoming, response)).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', () => resolve()))
  return {
    apiUrl: `${url}${API}`,
    counts,
    lie: (next) => {
      isLying = next
    },
    goDown: (next) => {
      isDown = next
    },
    stop: async () => {
      stopped.abort()
      await sandbox.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function callbackIn(incoming: IncomingMessage): Promise<Callback> {
  const isOwn = (name: string) => name.startsWith('webhook-') || name === 'content-type'
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    isOwn(name) ? [[name, `${value}`] as const] : [],
  )
  return { headers: Object.fromEntries(headers), body: Buffer.concat(await incoming.toArray()) }
}
