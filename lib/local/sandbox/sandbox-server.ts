import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { readConfig } from '#lib/config/config'
import { pageHeaders } from '#lib/http/reply'
import { timestamp, unixSeconds } from '#lib/kernel/clock'
import type { HtmlPage } from '#lib/kernel/html'
import { signStandardWebhook } from '#lib/kernel/signatures'
import type { Brand } from '#lib/pages/brand'
import { requireKeys } from '#lib/providers/registry'
import { ProviderSettings } from '#lib/providers/settings'
import type { LocalRoute } from '../gateway/gateway.ts'
import { changeOf, hasHappened, type Message, RefundRequest, requestedRefund } from './sandbox-changes.ts'
import { checkoutPage, noticePage } from './sandbox-page.ts'
import { openSandboxPayouts } from './sandbox-payouts.ts'
import { type Checkout, CheckoutRequest, openCheckouts } from './sandbox-store.ts'

const PATH = '/local/sandbox/checkouts'
/** The delay of a callback that the payer's page asked to be late. */
const LATE_MILLISECONDS = 3_000
const LARGEST_BODY_BYTES = 64 * 1024

type SandboxOptions = {
  directory: string
  publicUrl: string
  secret: string
  brand?: Brand
}

/** The sandbox's part of a local stack. `stop` drops late deliveries, and waits for those under way. */
export type Sandbox = { routes: LocalRoute[]; stop: () => Promise<void> }

/**
 * Opens the sandbox for the functions of an environment: it signs with their first secret. Throws if a configured
 * provider lacks a key, since each of its payments would fail.
 */
export function sandboxFor(environment: Record<string, string>, directory: string): Sandbox {
  const { PUBLIC_URL = '', PAYMENT_PROVIDERS = '' } = environment
  const settings: unknown = JSON.parse(PAYMENT_PROVIDERS)
  requireKeys(ProviderSettings.parse(settings))
  const { sandbox } = Configured.parse(settings)
  const [secret] = sandbox.webhookSecrets
  const { BRAND: brand } = readConfig(['BRAND'], environment)
  return openSandbox({ directory: join(directory, 'sandbox'), publicUrl: PUBLIC_URL, secret, brand })
}

const Configured = z.object({ sandbox: z.object({ webhookSecrets: z.tuple([z.string()], z.string()) }) })

/** Starts the sandbox: an API that opens checkouts, the page for the payer, and the callbacks. */
export function openSandbox({ directory, publicUrl, secret, brand = {} }: SandboxOptions): Sandbox {
  const checkouts = openCheckouts(directory)
  const stopped = new AbortController()

  const underWay = new Set<Promise<void>>()
  const deliver = (id: string, message: Message): Promise<void> => {
    const delivery = deliverOne(id, message).finally(() => underWay.delete(delivery))
    underWay.add(delivery)
    return delivery
  }
  const deliverOne = async (id: string, message: Message): Promise<void> => {
    const answer = await send(`${publicUrl}/payments/callback/sandbox`, secret, message)
    const delivery = { type: message.type, answer, at: timestamp(new Date()) }
    await checkouts.change(id, (checkout) => ({
      next: { ...checkout, deliveries: [...checkout.deliveries, delivery] },
    }))
  }

  const press = async (id: string, pressed: URLSearchParams): Promise<Checkout | undefined> => {
    const change = await checkouts.change(id, (checkout) => changeOf(checkout, pressed))
    if (!change) return undefined
    // `manner`: whether the pressed button has the callback come twice or late; undefined for once and at once.
    const { next, message, manner } = change
    if (manner === 'late') {
      sleep(LATE_MILLISECONDS, undefined, { signal: stopped.signal })
        .then(() => deliver(next.id, message))
        .catch(() => undefined)
      return next
    }
    await deliver(next.id, message)
    if (manner === 'twice') await deliver(next.id, message)
    return next
  }

  const show: LocalRoute['handle'] = async (request, response, url) => {
    const checkout = await checkouts.get(idIn(url))
    const wantsJson = request.headers.accept === 'application/json'
    if (!checkout && wantsJson) return json(response, 404, { error: 'There is no such checkout.' })
    if (!checkout) return html(response, 404, noticePage('There is no such checkout.', brand))
    if (wantsJson) return json(response, 200, checkout)
    html(response, 200, checkoutPage(checkout, brand))
  }

  /** The part of the API that the service uses once a checkout is open. */
  const command = async (response: ServerResponse, id: string, verb: string, body: string) => {
    const checkout = await checkouts.get(id)
    if (!checkout) return json(response, 404, { error: 'There is no such checkout.' })
    if (verb === 'cancellation') {
      const closed = await checkouts.change(id, (open) =>
        open.state === 'paid' ? undefined : { next: { ...open, state: 'closed' } },
      )
      return closed ? json(response, 200, {}) : json(response, 409, { error: 'It is paid.' })
    }
    const wanted = RefundRequest.safeParse(parsed(body)).data
    const change = await checkouts.change(id, (paid) => requestedRefund(paid, wanted))
    if (!change) return json(response, 409, { error: 'There is not so much left.' })
    // Called back like any other refund, after the answer, as providers do.
    if (change.message) void deliver(id, change.message)
    json(response, 201, change.refund)
  }

  const receive: LocalRoute['handle'] = async (request, response, url) => {
    const body = await bodyOf(request)
    if (url.pathname === PATH) return openOne(response, body)
    const [id = '', verb] = idIn(url).split('/')
    if (verb === 'refunds' || verb === 'cancellation') return command(response, id, verb, body)
    const pressed = new URLSearchParams(body)
    // Undefined where the button changes nothing in the checkout's state, as when it is pressed again.
    const next = await press(idIn(url), pressed)
    const checkout = next ?? (await checkouts.get(idIn(url)))
    if (!checkout) return html(response, 404, noticePage('There is no such checkout.', brand))
    if (!next && !hasHappened(checkout, pressed))
      return html(response, 409, noticePage('That cannot be done now.', brand))
    response.writeHead(303, { location: checkout.returnUrl ?? url.pathname }).end()
  }

  const openOne = async (response: ServerResponse, body: string) => {
    const wanted = CheckoutRequest.safeParse(parsed(body))
    if (!wanted.success)
      return json(response, 400, { error: 'A reference, an amount and a currency are needed.' })
    const { id, expiresAt } = await checkouts.open(wanted.data)
    json(response, 201, { id, url: `${publicUrl}${PATH}/${id}`, expiresAt })
  }

  return {
    routes: [
      { method: 'GET', path: PATH, handle: show },
      { method: 'POST', path: PATH, handle: receive },
      ...openSandboxPayouts(join(directory, 'payouts')),
    ],
    stop: async () => {
      stopped.abort()
      await Promise.allSettled(underWay)
    },
  }
}

/** Calls the service back, signed, and says how it answered. */
async function send(address: string, secret: string, { id, type, data }: Message): Promise<string> {
  const now = new Date()
  const rawBody = Buffer.from(JSON.stringify({ type, timestamp: timestamp(now), data }))
  const sentAtSeconds = unixSeconds(now)
  const headers = signStandardWebhook([secret], { id, sentAtSeconds, rawBody })
  try {
    const { status } = await fetch(address, { method: 'POST', headers, body: rawBody })
    return `answered ${status}`
  } catch {
    return 'was not answered'
  }
}

const idIn = (url: URL): string => url.pathname.slice(PATH.length + 1)

/** Reads the text of a body; what comes after 64 KiB is dropped. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= LARGEST_BODY_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const html = (response: ServerResponse, status: number, { html: text, imageSource }: HtmlPage): void => {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...pageHeaders(imageSource),
  }
  // The buttons of a checkout lead on to the shop, which may be at another origin.
  const policy = headers['content-security-policy'].replace("form-action 'self'; ", '')
  response.writeHead(status, { ...headers, 'content-security-policy': policy }).end(text)
}
