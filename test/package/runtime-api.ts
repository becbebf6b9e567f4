import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a function answered, or the error it threw as the runtime tells it. */
export type Outcome = { result: unknown } | { errorType: string; errorMessage: string }

/** Lambda's Runtime API for one function: it is asked for work and told of results. */
type RuntimeApi = {
  /** For `AWS_LAMBDA_RUNTIME_API`. */
  address: string
  /** Resolves when the function first asks for work, and fails when it could not start. */
  initialized: Promise<void>
  /** Hands out one event and waits for its outcome. */
  invoke: (event: unknown) => Promise<Outcome>
  /** Fails whatever is waited for: the function is gone. */
  abandon: (error: Error) => void
  stop: () => Promise<void>
}

const DEADLINE_MILLISECONDS = 10_000

/** Starts the API on a free port of the loopback address. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  const initialized = Promise.withResolvers<void>()
  let asked = Promise.withResolvers<ServerResponse>()
  let answered = Promise.withResolvers<Outcome>()
  const quiet = () => {
    for (const { promise } of [initialized, asked, answered]) (promise as Promise<unknown>).catch(() => {})
  }
  quiet()

  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (path.endsWith('/invocation/next')) {
      initialized.resolve()
      asked.resolve(response)
      return
    }
    const said = await read(request)
    response.writeHead(202).end()
    if (path.endsWith('/init/error')) initialized.reject(new Error(describe(said)))
    else answered.resolve(path.endsWith('/error') ? (said as Outcome) : { result: said })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    initialized: initialized.promise,
    invoke: async (event) => {
      const response = await asked.promise
      asked = Promise.withResolvers()
      answered = Promise.withResolvers()
      quiet()
      handOut(response, event)
      return answered.promise
    },
    abandon: (error) => {
      for (const waiting of [initialized, asked, answered]) waiting.reject(error)
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function handOut(response: ServerResponse, event: unknown): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': randomUUID(),
    'lambda-runtime-deadline-ms': `${Date.now() + DEADLINE_MILLISECONDS}`,
    'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:000000000000:function:test',
  })
  response.end(JSON.stringify(event))
}

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null')
}

const describe = (said: unknown): string => {
  const { errorType, errorMessage } = said as { errorType?: string; errorMessage?: string }
  return `${errorType}: ${errorMessage}`
}
