import middy from '@middy/core'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { lazyDeps } from '#lib/config/config'
import type { HttpEvent } from '#lib/http/request'
import { clock, settings } from '#lib/http/runtime'
import type { HttpHandler } from '#lib/http/spec'
import { answerProblems, type Pages } from './answer-problems.ts'
import { compress } from './compress.ts'
import { logRequest } from './log-request.ts'
import { sendHeaders } from './send-headers.ts'
import { trustFront } from './trust-front.ts'

/** The dependencies of the stack itself. */
export const STACK_DEPS = { settings, now: clock }

/**
 * The middy stack around every HTTP function. It logs, completes headers, compresses, turns errors into problems or pages,
 * and refuses requests that bypass CloudFront (`trustFront`); `handle` makes the answer.
 */
export function serveHttp(
  { route, compresses, ...pages }: { route: string; compresses: boolean } & Pages,
  overrides: Record<string, unknown>,
  handle: (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>,
): HttpHandler {
  const deps = lazyDeps(STACK_DEPS, overrides)
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
    // `after` and `onError` run from the last to the first: what stands first sees the finished answer.
    .use(logRequest(route, deps))
    .use(compresses ? [compress(), sendHeaders(deps)] : sendHeaders(deps))
    .use(answerProblems(deps, pages))
    .use(trustFront(deps))
    .handler(handle)
  return (event, context) => handler(event, context)
}
