import { handler as dispatchChanges } from '#functions/jobs/dispatch-changes'

/** The very function that carries changes to queues when deployed. */
export const handler = dispatchChanges
