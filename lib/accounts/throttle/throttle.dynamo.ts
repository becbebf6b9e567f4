import { dependency } from '#lib/config/config'
import { onTable } from '#lib/dynamo/table'
import { openCounters } from './counters.dynamo.ts'
import type { Throttle } from './throttle.ts'

/** On a developer's machine all requests come from one network. */
const factorOf = (stage: string): number => (stage === 'local' ? 1_000 : 1)

/** The factor for the limits of one network: 1 in every deployed stage. */
export const networkLimitFactor = dependency(['STAGE'], ({ STAGE }) => factorOf(STAGE))

/** The counters of sign-ins, mails and other attempts, as a dependency of functions. */
export const loginThrottle = onTable(
  (table, { STAGE }): Throttle => ({
    counters: openCounters(table),
    networkLimitFactor: factorOf(STAGE),
  }),
  { reads: ['THROTTLE'], writes: ['THROTTLE'] },
  ['STAGE'],
)
