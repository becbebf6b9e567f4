import { storeOnTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { claimKey } from './claim.keys.ts'
import { Claim, type ClaimStore } from './claim.ts'

/** Claims in the one table, which removes expired claims late. */
export const openClaims = (table: Table): ClaimStore => ({
  of: async (subjects, now) => {
    const items = subjects.length > 0 ? await table.getMany(subjects.map(claimKey)) : []
    return items.map((item) => Claim.parse(item)).filter(({ until }) => until > timestamp(now))
  },
  put: (seen, next, now) => ({
    put: {
      ...claimKey(next.subject),
      kind: 'claim',
      ...next,
      expiresAtSeconds: Math.ceil(Date.parse(next.until) / 1000),
    },
    // An expired claim may still be stored. It counts as none.
    when: seen
      ? { equals: { by: seen.by, until: seen.until } }
      : { absentOrBelow: { attribute: 'until', value: timestamp(now) } },
  }),
  remove: ({ subject, by, until }) => ({ remove: claimKey(subject), when: { equals: { by, until } } }),
  commit: table.commit,
})

/** The store of claims, as a dependency of functions. */
export const claimStore = storeOnTable(openClaims, {
  of: { CLAIM: ['get'] },
  put: { CLAIM: ['put'] },
  remove: { CLAIM: ['remove'] },
  commit: {},
})
