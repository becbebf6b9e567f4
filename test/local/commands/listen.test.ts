import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signStandardWebhook } from '#lib/kernel/signatures'
import { WebhookInput } from '#lib/webhooks/webhook'

const ROOT = join(import.meta.dirname, '../../..')
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const REGISTERED = {
  id: 'whk_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
  description: 'npm run listen',
  status: 'ACTIVE',
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-11-22T04:00:00.000Z',
  secret: SECRET,
}

type Asked = {
  method: string | undefined
  path: string | undefined
  body: { url?: string; types?: string[] }
}

let asked: Asked[]
let directory: string
let port: number
let stop: () => void
const children: ChildProcess[] = []

beforeEach(async () => {
  asked = []
  directory = await mkdtemp(join(tmpdir(), 'platform-listen-'))
  // In the place of the stack: it registers webhooks and forgets them.
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? ((await json(request)) as Asked['body']) : {}
    asked.push({ method: request.method, path: request.url, body })
    if (body.types?.includes('nothing.happened')) {
      const problem = { title: 'The request is not valid', detail: 'types[0] is none of those there are' }
      response.writeHead(400).end(JSON.stringify(problem))
      return
    }
    response.writeHead(request.method === 'POST' ? 201 : 204)
    response.end(request.method === 'POST' ? JSON.stringify({ ...REGISTERED, ...body }) : undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  stop = () => server.close()
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  stop()
  await rm(directory, { recursive: true, force: true })
})

/** Starts the command. `lines` are what it prints, of either stream. */
function listen(...types: string[]) {
  const child = spawn(process.execPath, ['lib/local/commands/listen.ts', ...types], {
    cwd: ROOT,
    env: { ...process.env, PORT: `${port}`, LOCAL_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const next = (stream: NodeJS.ReadableStream) => {
    const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
    return async () => (await lines.next()).value as string
  }
  return { child, printed: next(child.stdout), said: next(child.stderr) }
}

/** Sends the command a message, signed with a secret. */
async function announce(secret: string): Promise<number> {
  const rawBody = JSON.stringify({ type: 'user.banned', subject: 'usr_1', data: {} })
  const message = { id: 'evt_1', sentAtSeconds: Math.floor(Date.now() / 1000), rawBody }
  const headers = signStandardWebhook([secret], message)
  return (await fetch(asked[0]?.body.url ?? '', { method: 'POST', headers, body: rawBody })).status
}

describe('npm run listen', () => {
  it('prints each event that the stack announces, and ends its registration with itself', async () => {
    const { child, printed, said } = listen('user.banned')
    expect(await said()).toBe('Listening for user.banned; Ctrl-C ends it.')
    expect(asked).toMatchObject([
      {
        method: 'POST',
        path: '/admin/webhooks',
        body: { types: ['user.banned'], description: 'npm run listen' },
      },
    ])
    expect(await announce(`whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toBe(400)
    expect(await announce(SECRET)).toBe(204)
    expect(JSON.parse(await printed())).toEqual({
      id: 'evt_1',
      type: 'user.banned',
      subject: 'usr_1',
      data: {},
    })
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(asked.at(-1)).toMatchObject({ method: 'DELETE', path: `/admin/webhooks/${REGISTERED.id}` })
  })

  it('asks for every type that a webhook may have where none is named', async () => {
    const { said } = listen()
    expect(await said()).toBe('Listening for every event; Ctrl-C ends it.')
    expect(asked[0]?.body.types).toContain('payment.status_changed')
    expect(WebhookInput.safeParse(asked[0]?.body).error).toBeUndefined()
  })

  it('names the types that there are for one that there is not', async () => {
    const { child, said } = listen('nothing.happened')
    expect(await said()).toMatch(/^types\[0\] is none of those there are\. Types: user\.registered, /)
    expect(await once(child, 'exit')).toEqual([1, null])
  })

  it('says so when no stack answers', async () => {
    stop()
    const { child, said } = listen()
    expect(await said()).toBe(`No stack answers on http://localhost:${port}: run npm start first.`)
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})
