import type { Route } from '#lib/http/route'
import type { Request } from './http-event.ts'
import { act, leave, registerAgent } from './rehearsal-accounts.ts'
import { list } from './rehearsal-listings.ts'
import { pay } from './rehearsal-payments.ts'

/** How a rehearsal reaches the functions, however they run. */
export type Stage = {
  /** Sends a request to the function of this route and answers with the parsed body; throws when it is refused. */
  ask: (route: Route, request?: RehearsedRequest) => Promise<unknown>
  /** Starts a job with an event. */
  run: (job: string, event: unknown) => Promise<unknown>
  /** An administrator's. */
  consoleToken: string
  /** Of the payment provider `standard-webhooks`. */
  webhookSecret: string
}

/** A request, and whether a refusal is as good as an answer: the way there is what is rehearsed. */
export type RehearsedRequest = Request & { mayBeRefused?: boolean }

/**
 * One request to every function, in an order in which each of them succeeds: what V8 compiles for it is the
 * bytecode that is shipped, and what the cold start bench measures. It may be repeated on the same table.
 */
export async function rehearse(stage: Stage): Promise<void> {
  await rehearseService(stage)
  const agent = await registerAgent(stage)
  await act(stage, agent)
  const listingId = await list(stage, agent)
  await pay(stage, agent, listingId)
  await rehearseJobs(stage)
  await leave(stage, agent)
}

async function rehearseService({ ask }: Stage): Promise<void> {
  await ask('GET /health')
  await ask('GET /.well-known/jwks.json')
  await ask('GET /openapi.json')
  await ask('$default', { method: 'OPTIONS', path: '/listings' })
}

async function rehearseJobs({ run }: Stage): Promise<void> {
  const streams = ['publishEvents', 'followListings', 'followAccounts', 'sendMail']
  for (const job of streams) await run(job, { Records: [] })
  const schedules = ['expireKyc', 'expireUploads', 'removeOrphans', 'reconcilePayments', 'auditLedger']
  for (const job of schedules) await run(job, {})
}
