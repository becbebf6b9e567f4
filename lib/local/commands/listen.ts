import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import { WebhookEventType } from '#lib/events/event-types'
import { WebhookWithSecret } from '#lib/webhooks/webhook'
import { listenLocally } from '../local-server.ts'
import { onceNpmIsGone } from '../npm-parent.ts'
import { readSettings } from '../settings.ts'
import { consoleToken } from './token.ts'

// `npm run listen -- <type> …`: prints the events of these types that the running stack announces, one a line, until
// Ctrl-C; without a type every event that webhooks are sent. It registers a webhook for as long as it runs, and verifies
// its messages with the official library.

const Problem = z.object({ title: z.string(), detail: z.string().optional() })

const settings = readSettings(process.env)
const { positionals } = parseArgs({ allowPositionals: true })
const api = `http://localhost:${settings.port}/admin/webhooks`
const headers = {
  authorization: `Bearer ${await consoleToken(settings, { sub: 'listen' })}`,
  'content-type': 'application/json',
}

/** The secret of the webhook, known once it is registered: an event may come before. */
const secret = Promise.withResolvers<string>()
const anyFreePort = 0
const server = await listenLocally(anyFreePort, receive)
const webhookId = await register(`http://localhost:${server.port}/`)
if (webhookId !== undefined) {
  console.error(`Listening for ${positionals.join(', ') || 'every event'}; Ctrl-C ends it.`)
  await ended()
  await fetch(`${api}/${webhookId}`, { method: 'DELETE', headers }).catch(() => undefined)
}
await server.stop()

/** Prints a message with the stack's signature, and refuses any other. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const signed = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  )
  try {
    const message = z.looseObject({}).parse(new Webhook(await secret.promise).verify(body, signed))
    console.log(JSON.stringify({ id: signed['webhook-id'], ...message }))
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}

/** Registers this process as a webhook and returns its id. Prints the reason if it cannot be registered. */
async function register(url: string): Promise<string | undefined> {
  const types = positionals.length > 0 ? positionals : WebhookEventType.options
  const body = JSON.stringify({ url, types, description: 'npm run listen' })
  const response = await fetch(api, { method: 'POST', headers, body }).catch(() => undefined)
  if (response === undefined) return fail(`No stack answers on ${new URL(api).origin}: run npm start first.`)
  const answer: unknown = await response.json()
  if (!response.ok) {
    const { title, detail } = Problem.parse(answer)
    return fail(`${detail ?? title}. Types: ${WebhookEventType.options.join(', ')}.`)
  }
  const webhook = WebhookWithSecret.parse(answer)
  secret.resolve(webhook.secret)
  return webhook.id
}

function fail(reason: string): undefined {
  console.error(reason)
  process.exitCode = 1
}

/** Waits for Ctrl-C, or for the end of the npm that started this process. */
async function ended(): Promise<void> {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
  onceNpmIsGone(() => ending.abort())
  await once(ending.signal, 'abort')
}
