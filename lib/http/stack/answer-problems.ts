import { asDomainError } from '#lib/http/fault'
import { problemAnswer } from '#lib/http/problem'
import type { Settings } from '#lib/http/runtime'
import type { HttpMiddleware } from './middleware.ts'

/** Turns whatever was thrown into a problem document. */
export const answerProblems = (deps: () => { settings: Settings }): HttpMiddleware => ({
  onError: (request) => {
    const { PUBLIC_URL } = deps().settings
    request.response = problemAnswer(asDomainError(request.error), request.context.awsRequestId, PUBLIC_URL)
  },
})
