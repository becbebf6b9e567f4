import { TABLE_WRITES, type Table } from '#lib/dynamo/table'

/** The error of everything that a dead function does. */
export class Died extends Error {
  override readonly name = 'Died'
}

/**
 * A table that its function outlives by a number of writes, and `alive`, which throws once the function is dead: nothing is
 * then stored, read or sent until it is started again.
 */
export function mortalTable(table: Table) {
  let writesLeft = Number.POSITIVE_INFINITY
  const alive = () => {
    if (writesLeft < 0) throw new Died('The function has died')
  }
  const write = () => {
    writesLeft -= 1
    alive()
  }
  const reading =
    <Given extends unknown[], Answer>(read: (...given: Given) => Promise<Answer>) =>
    async (...given: Given) => {
      alive()
      return read(...given)
    }
  const writing =
    <Given extends unknown[], Answer>(store: (...given: Given) => Promise<Answer>) =>
    async (...given: Given) => {
      write()
      return store(...given)
    }
  const mortal: Table = {
    ...TABLE_WRITES,
    get: reading(table.get),
    getMany: reading(table.getMany),
    query: reading(table.query),
    queryAll: reading(table.queryAll),
    count: reading(table.count),
    increment: writing(table.increment),
    writeEach: writing(table.writeEach),
    commit: writing(table.commit),
  }
  return {
    table: mortal,
    alive,
    isDead: () => writesLeft < 0,
    /** Lets the function live for so many more writes. */
    liveFor: (writes: number) => {
      writesLeft = writes
    },
  }
}
