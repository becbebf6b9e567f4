import type { Context } from 'aws-lambda'
import { prefersPage } from './accept.ts'
import type { Caller } from './access.ts'
import { seenVersionOf } from './conditional.ts'
import type { ParsedInput } from './input/read-input.ts'
import { type EncodedAnswer, encode } from './reply.ts'
import { type HttpEvent, header, requestFacts } from './request.ts'
import type { Spec } from './spec.ts'

/** A request that may be carried out: its caller, its parsed input and the dependencies. */
type Admitted = {
  event: HttpEvent
  context: Context
  caller: Caller<unknown>
  /** The `Idempotency-Key`, where the endpoint takes one and the caller sent it. */
  key: string | undefined
  input: ParsedInput
  deps: Record<string, unknown>
}

/** Runs an endpoint, within its idempotency where it has one, and encodes what it returns. */
export async function carryOut(spec: Spec, admitted: Admitted): Promise<EncodedAnswer> {
  const { event, context, caller, key, input, deps } = admitted
  const given = {
    ...input,
    actor: caller.actor,
    request: requestFacts(event, context),
    ...(spec.honours === 'If-Match' && { seenVersion: seenVersionOf(event) }),
  }
  const answer = (outcome: unknown) =>
    withLocation(spec, encode(spec.output, outcome, prefersPage(header(event, 'accept'))))
  const run = async (once: object) => answer(await spec.run(given as never, { ...deps, ...once } as never))
  if (!spec.idempotency) return run({})
  const { params, query, body } = input
  const exchange = {
    route: spec.route,
    caller: caller.id ?? '',
    key,
    input: { params, query, body },
    encode: answer,
  }
  return spec.idempotency.around(exchange, deps as never, (once) => run({ once }))
}

/** The answer with the path of the new resource. */
function withLocation({ location }: Spec, answer: EncodedAnswer): EncodedAnswer {
  if (location === undefined || answer.statusCode !== 201) return answer
  const { id }: { id: string } = JSON.parse(answer.body ?? '')
  return { ...answer, headers: { ...answer.headers, location: `${location}${id}` } }
}
