import { dependency } from '#lib/config'
import { openTable } from '#lib/dynamo/table'
import { openCounters } from './counters.dynamo.ts'
import type { Throttle } from './throttle.ts'

/** On a developer's machine everyone has one address. */
const LOCAL_FACTOR = 1_000

/** How the function's stage counts failed sign-ins. */
export const loginThrottle = dependency(
  ['TABLE_NAME', 'STAGE'],
  ({ TABLE_NAME, STAGE }): Throttle => ({
    counters: openCounters(openTable(TABLE_NAME)),
    addressFactor: STAGE === 'local' ? LOCAL_FACTOR : 1,
  }),
)
