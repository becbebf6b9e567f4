import { asDomainError } from './fault.ts'
import type { HttpMiddleware } from './middleware.ts'
import { problemAnswer } from './problem.ts'
import type { Settings } from './runtime.ts'

/** Turns whatever was thrown into a problem document. */
export const answerProblems = (deps: () => { settings: Settings }): HttpMiddleware => ({
  onError: (request) => {
    const { PUBLIC_URL } = deps().settings
    request.response = problemAnswer(asDomainError(request.error), request.context.awsRequestId, PUBLIC_URL)
  },
})
