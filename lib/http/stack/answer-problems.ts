import { asDomainError } from '#lib/http/fault'
import { problemAnswer } from '#lib/http/problem'
import { problemPage } from '#lib/http/problem-page'
import { header, prefers } from '#lib/http/request'
import type { Settings } from '#lib/http/runtime'
import type { PageRefusal } from '#lib/http/spec'
import type { HtmlPage } from '#lib/kernel/html'
import type { HttpMiddleware } from './middleware.ts'

/** Whether an endpoint answers pages, and its own page of a refusal. */
export type Pages = { isPage: boolean; refusalPage?: (refusal: PageRefusal) => HtmlPage }

/** Turns an error into a problem document or, for a browser that asks for a page, into a page. */
export const answerProblems = (
  deps: () => { settings: Settings },
  { isPage, refusalPage }: Pages,
): HttpMiddleware => ({
  onError: (request) => {
    const { PUBLIC_URL } = deps().settings
    const error = asDomainError(request.error)
    const problem = problemAnswer(error, {
      requestId: request.context.awsRequestId,
      publicUrl: PUBLIC_URL,
      hasBearer: /^Bearer\b/i.test(header(request.event, 'authorization') ?? ''),
    })
    const refusal = {
      code: error.code,
      errors: error.options.errors ?? [],
      acceptLanguage: header(request.event, 'accept-language') ?? null,
    }
    const asPage = isPage && prefers('text/html', header(request.event, 'accept'))
    request.response = asPage ? problemPage(problem, refusalPage?.(refusal)) : problem
  },
})
