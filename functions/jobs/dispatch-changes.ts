import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changeQueues, changeRoutes } from '#lib/events/change-queues.sqs'
import { dispatchChanges } from '#lib/events/dispatch-changes'
import { job } from '#lib/http/job'

export const { spec, handler } = job({
  name: 'dispatchChanges',
  summary: "Carries the table's changes to the queues of the functions that consume them",
  deps: { queues: changeQueues, routes: changeRoutes },
  run: ({ Records }: DynamoDBStreamEvent, deps) => dispatchChanges(deps, Records),
})
