import { dependency } from '#lib/config'
import { onTable } from '#lib/dynamo/table'
import { openCounters } from './counters.dynamo.ts'
import type { Throttle } from './throttle.ts'

/** On a developer's machine everyone has one address. */
const LOCAL_FACTOR = 1_000

/** How much wider than deployed a limit of one address is. */
export const networkFactor = dependency(['STAGE'], ({ STAGE }) => (STAGE === 'local' ? LOCAL_FACTOR : 1))

/** How the function's stage counts failed sign-ins. */
export const loginThrottle = onTable(
  (table, { STAGE }): Throttle => ({
    counters: openCounters(table),
    addressFactor: STAGE === 'local' ? LOCAL_FACTOR : 1,
  }),
  ['STAGE'],
)
