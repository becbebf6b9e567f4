/**
 * What must not compile. Nobody runs this file: the compiler reads it, and an error that no longer comes is an
 * error itself.
 */
import * as z from 'zod'
import {
  administrator,
  agent,
  anyoneWithoutSessionCheck,
  user,
  userOrAdministrator,
  userWithVerifiedEmail,
} from '#lib/accounts/access'
import { claimed, recorded } from '#lib/dynamo/idempotency.dynamo'
import { callback } from '#lib/http/callback'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { ListingId } from '#lib/kernel/id'

const Thing = z.object({ name: z.string() })
const common = { summary: 'A thing', output: { 200: Thing }, deps: {} } as const
const reply = () => ({ status: 200, body: { name: 'a' } }) as const

// The route

endpoint({
  ...common,
  route: 'GET /things/{id}',
  access: 'public',
  input: { params: { id: ListingId } },
  run: reply,
})
endpoint({
  ...common,
  route: 'GET /things/{id}',
  access: 'public',
  // @ts-expect-error: the route has another parameter
  input: { params: { thingId: ListingId } },
  run: reply,
})
endpoint({
  ...common,
  route: 'GET /things/{id}',
  access: 'public',
  // @ts-expect-error: the route has one parameter, not two
  input: { params: { id: ListingId, more: ListingId } },
  run: reply,
})
endpoint({
  ...common,
  route: 'GET /things/{id}/{part}',
  access: 'public',
  // @ts-expect-error: the route has two parameters, not one
  input: { params: { id: ListingId } },
  run: reply,
})
// @ts-expect-error: the route has a parameter that is not parsed
endpoint({ ...common, route: 'GET /things/{id}', access: 'public', run: reply })
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: the route has no parameter
  input: { params: { id: ListingId } },
  run: reply,
})
// @ts-expect-error: there is no such method
endpoint({ ...common, route: 'HEAD /things', access: 'public', run: reply })
// @ts-expect-error: a path begins with a slash
endpoint({ ...common, route: 'GET things', access: 'public', run: reply })

// The caller

endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: nobody acts on a public route
  run: ({ actor }) => ({ status: 200, body: { name: actor } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: user,
  run: ({ actor }) => ({ status: 200, body: { name: actor.account.id } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: userWithVerifiedEmail,
  run: ({ actor }) => ({ name: actor.account.email }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: agent,
  // @ts-expect-error: an agent is a user, who has no subject
  run: ({ actor }) => ({ status: 200, body: { name: actor.subject } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: administrator(['support']),
  // @ts-expect-error: an administrator has no account here
  run: ({ actor }) => ({ status: 200, body: { name: actor.account.name } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: userOrAdministrator(['moderation']),
  // @ts-expect-error: it may be an administrator
  run: ({ actor }) => ({ status: 200, body: { name: actor.userId } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: anyoneWithoutSessionCheck({ administrators: ['moderation'] }),
  // @ts-expect-error: it may be nobody
  run: ({ actor }) => ({ status: 200, body: { name: actor.kind } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: anyoneWithoutSessionCheck({ administrators: ['moderation'] }),
  // @ts-expect-error: the session was not looked up, so there is no account
  run: ({ actor }) => ({ status: 200, body: { name: actor?.kind === 'user' ? actor.account.name : '' } }),
})

// The answer

endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: 201 is not declared
  run: () => ({ status: 201, body: { name: 'a' } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: the body lacks its name
  run: () => ({ status: 200, body: {} }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: a name is text
  run: () => ({ status: 200, body: { name: 1 } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: there is no body
  run: () => ({ status: 200 }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  output: { 200: Thing, 204: null },
  // @ts-expect-error: the body of one status is not that of another
  run: () => ({ status: 204, body: { name: 'a' } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: there is no such problem
  problems: ['teapot'],
  run: reply,
})

endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: there is no such fact
  honors: 'If-Match',
  run: reply,
})

// The input

endpoint({
  ...common,
  route: 'POST /things',
  access: 'public',
  input: { body: Thing },
  // @ts-expect-error: the body has no such field
  run: ({ body }) => ({ status: 200, body: { name: body.title } }),
})
endpoint({
  ...common,
  route: 'POST /things',
  access: 'public',
  // @ts-expect-error: a body that is not declared is not read
  run: ({ body }) => ({ status: 200, body: { name: body.name } }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  // @ts-expect-error: what is not a dependency is not there
  run: (_request, { accounts }) => ({ status: 200, body: { name: String(accounts) } }),
})

// The answer alone

endpoint({ ...common, route: 'GET /things', access: 'public', run: () => ({ name: 'a' }) })
endpoint({ ...common, route: 'POST /things', access: 'public', output: { 204: null }, run: async () => {} })
// @ts-expect-error: the body alone lacks its name
endpoint({ ...common, route: 'GET /things', access: 'public', run: () => ({}) })
// @ts-expect-error: there is a body
endpoint({ ...common, route: 'GET /things', access: 'public', run: async () => {} })
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  output: { 200: Thing, 201: Thing },
  // @ts-expect-error: one of two statuses must be named
  run: () => ({ name: 'a' }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  output: { 200: z.object({ status: z.number() }) },
  // @ts-expect-error: this body might be taken for a reply
  run: () => ({ status: 200 }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  output: { 200: versioned(Thing) },
  run: () => ({ view: { name: 'a' }, version: 1 }),
})
endpoint({
  ...common,
  route: 'GET /things',
  access: 'public',
  output: { 200: versioned(Thing) },
  // @ts-expect-error: a versioned answer has its version
  run: () => ({ name: 'a' }),
})

// Conditions

endpoint({
  ...common,
  route: 'PATCH /things',
  access: 'public',
  honours: 'If-Match',
  run: ({ seenVersion }) => ({ name: String(seenVersion) }),
})
endpoint({
  ...common,
  route: 'PATCH /things',
  access: 'public',
  // @ts-expect-error: a condition that is not declared is not read
  run: ({ seenVersion }) => ({ name: String(seenVersion) }),
})

// Idempotency

endpoint({
  ...common,
  route: 'POST /things',
  access: user,
  idempotency: claimed('payment'),
  run: (_request, { once }) => ({ name: once.id }),
})
endpoint({
  ...common,
  route: 'POST /things',
  access: user,
  idempotency: recorded,
  // @ts-expect-error: a record reserves no id
  run: (_request, { once }) => ({ name: once.id }),
})
endpoint({
  ...common,
  route: 'POST /things',
  access: user,
  // @ts-expect-error: without idempotency there is nothing to record
  run: (_request, { once }) => ({ name: String(once) }),
})

// Callbacks

callback({
  routes: ['POST /called/{provider}'],
  summary: 'Called back',
  problems: [],
  deps: {},
  // @ts-expect-error: nothing of a callback is parsed
  run: async ({ body }) => ({ status: 200, body }),
})
callback({
  // @ts-expect-error: a callback has at least one route
  routes: [],
  summary: 'Called back',
  problems: [],
  deps: {},
  run: async () => ({ status: 200, body: '' }),
})
