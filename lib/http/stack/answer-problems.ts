import { prefersPage } from '#lib/http/accept'
import { asDomainError } from '#lib/http/fault'
import { problemAnswer } from '#lib/http/problem'
import { problemPage } from '#lib/http/problem-page'
import { header } from '#lib/http/request'
import type { Settings } from '#lib/http/runtime'
import type { HttpMiddleware } from './middleware.ts'

/** Turns an error into a problem document or, for a browser that asked for a page, into a page. */
export const answerProblems = (deps: () => { settings: Settings }, isPage: boolean): HttpMiddleware => ({
  onError: (request) => {
    const { PUBLIC_URL } = deps().settings
    const { accept } = request.event.headers
    const problem = problemAnswer(asDomainError(request.error), {
      requestId: request.context.awsRequestId,
      publicUrl: PUBLIC_URL,
      hasBearer: /^Bearer\b/i.test(header(request.event, 'authorization') ?? ''),
    })
    request.response = isPage && prefersPage(accept) ? problemPage(problem) : problem
  },
})
