import type { Progress } from '#lib/kernel/progress'
import { progressKey } from './dynamo.keys.ts'
import { onTable } from './table.ts'

/** Positions of long jobs, with what is done to them in the table's partition `PROGRESS`. */
export const progress = onTable(
  (table): Progress => ({
    read: async (job, schema) => {
      const item = await table.get(progressKey(job))
      return item && schema.parse(item['position'])
    },
    store: (job, position) => table.commit([table.put({ ...progressKey(job), kind: 'progress', position })]),
    finish: (job) => table.commit([table.remove(progressKey(job))]),
  }),
  { reads: ['PROGRESS'], writes: ['PROGRESS'] },
)
