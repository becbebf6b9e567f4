import { onTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { claimKey } from './claim.keys.ts'
import { Claim, type ClaimReader, type ClaimStore } from './claim.ts'

/** Claims in the one table, which removes expired claims late. */
export const openClaims = (table: Table): ClaimStore => ({
  of: async (subjects, now) => {
    const items = subjects.length > 0 ? await table.getMany(subjects.map(claimKey)) : []
    return items.map((item) => Claim.parse(item)).filter(({ until }) => until > timestamp(now))
  },
  put: (seen, next, now) =>
    table.put(
      {
        ...claimKey(next.subject),
        kind: 'claim',
        ...next,
        expiresAtSeconds: Math.ceil(Date.parse(next.until) / 1000),
      },
      {
        when: seen
          ? { equals: { by: seen.by, until: seen.until } }
          : // An expired claim may still be stored. It counts as none.
            { absentOrBelow: { attribute: 'until', value: timestamp(now) } },
      },
    ),
  remove: ({ subject, by, until }) => table.remove(claimKey(subject), { when: { equals: { by, until } } }),
  commit: table.commit,
})

/** The store of claims, as a dependency of functions. */
export const claims = onTable(openClaims, { reads: ['CLAIM'], writes: ['CLAIM'] })

export const claimReader = onTable((table): ClaimReader => openClaims(table), { reads: ['CLAIM'] })
