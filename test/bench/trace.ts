import { randomUUID } from 'node:crypto'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRehearsalStack } from '#lib/package/rehearsal/stack'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

// `npm run bench:trace`: the files of `lib` and `functions` that a request passes through, from its handler to its answer,
// once all of them are loaded. Never in `npm test`.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const stack = await startRehearsalStack()
try {
  Object.assign(process.env, stack.environment, { LOG_LEVEL: 'silent' })
  // Loaded only now: they read the environment that has just been set.
  const { httpEvent } = await import('#test/support/call')
  const { handler: register } = await import('#functions/accounts/register')
  const { handler: createPayment } = await import('#functions/payments/create-payment')
  const { handler: receiveCallback } = await import('#functions/payments/payment-callback')
  const { signStandardWebhook } = await import('#lib/kernel/signatures')

  type Request = { handler: typeof register; event: Parameters<typeof register>[0] }

  const answerTo = async ({ handler, event }: Request) => {
    const { statusCode = 0, body = '' } = await handler(event, LAMBDA_CONTEXT)
    if (statusCode >= 300) throw new Error(`${event.routeKey} answered ${statusCode}: ${body}`)
    return JSON.parse(body || '{}')
  }

  const person = { email: 'traced@example.com', password: 'a long enough password 7', name: 'Awa Diop' }
  const { user, accessToken } = await answerTo({
    handler: register,
    event: httpEvent('POST /auth/register', { body: person }),
  })
  await stack.proveEmail(user.id)

  const order = (): Request => ({
    handler: createPayment,
    event: httpEvent('POST /payments', {
      token: accessToken,
      headers: { 'idempotency-key': randomUUID() },
      body: { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'rent' },
    }),
  })

  /** A signed callback that says that a new payment was paid. */
  const callback = async (): Promise<Request> => {
    const { id: reference, amount, currency } = await answerTo(order())
    const data = { reference, id: `txn_${reference}`, amount, currency }
    const message = { type: 'payment.succeeded', timestamp: new Date().toISOString(), data }
    const rawBody = Buffer.from(JSON.stringify(message))
    const sent = { id: `msg_${reference}`, sentAtSeconds: Math.floor(Date.now() / 1000), rawBody }
    return {
      handler: receiveCallback,
      event: httpEvent('POST /payments/callback/{provider}', {
        params: { provider: 'standard-webhooks' },
        headers: signStandardWebhook([stack.webhookSecret], sent),
        rawBody: rawBody.toString(),
      }),
    }
  }

  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  /** Returns the files with a function that runs while the request is answered. A module's load, at offset 0, is no function. */
  const trace = async (request: Request): Promise<Map<string, string[]>> => {
    await session.post('Profiler.takePreciseCoverage')
    await answerTo(request)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = new Map<string, string[]>()
    for (const { url, functions } of result) {
      const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : ''
      const called = functions.filter(
        ({ ranges: [whole] }) => whole && whole.startOffset > 0 && whole.count > 0,
      )
      if (called.length > 0 && /^(lib|functions)\//.test(path))
        files.set(
          path,
          called.map(({ functionName }) => functionName || '(unnamed)'),
        )
    }
    return files
  }

  const report = (request: string, files: Map<string, string[]>) => {
    console.log(`${request}: ${files.size} files`)
    for (const [path, called] of [...files].sort()) console.log(`  ${path}: ${called.join(', ')}`)
  }

  await answerTo(await callback())
  report('POST /payments', await trace(order()))
  report('a callback', await trace(await callback()))
} finally {
  await stack.stop()
}
