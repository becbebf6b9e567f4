import { dependency } from '#lib/config'
import { onTable } from '#lib/dynamo/table'
import { openCounters } from './counters.dynamo.ts'
import type { Throttle } from './throttle.ts'

/** On a developer's machine all requests come from one network. */
const LOCAL_FACTOR = 1_000

/** Multiplies the limits of one network: by 1 in every deployed stage. */
export const networkLimitFactor = dependency(['STAGE'], ({ STAGE }) => (STAGE === 'local' ? LOCAL_FACTOR : 1))

/** The counters of sign-ins, mails and other attempts, as a dependency of functions. */
export const loginThrottle = onTable(
  (table, { STAGE }): Throttle => ({
    counters: openCounters(table),
    networkLimitFactor: STAGE === 'local' ? LOCAL_FACTOR : 1,
  }),
  { THROTTLE: ['get', 'update'] },
  { reads: ['STAGE'] },
)
