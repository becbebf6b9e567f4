import { isDeepStrictEqual } from 'node:util'
import type { Item } from '#lib/dynamo/item'
import { TABLE_WRITES, type Table } from '#lib/dynamo/table'
import { valueAt } from '#lib/kernel/value-at'
import { type Condition, type Key, type Write, WriteConflict } from '#lib/kernel/write'

/** A table in memory, and everything that is in it. */
type MemoryTable = Table & { items: () => Item[] }

/**
 * The one table in memory, for thousands of lives that test what follows from what, not the database: stores and use
 * cases run on it as they are. One writer at a time; what the real database does is tested elsewhere.
 */
export function memoryTable(): MemoryTable {
  const items = new Map<string, Item>()
  const placeOf = ({ pk, sk }: Key) => `${pk}\n${sk}`
  const keyOf = (write: Write): Key => {
    if ('put' in write) return write.put
    if ('update' in write) return write.update
    return 'remove' in write ? write.remove : write.check
  }
  const apply = (write: Write) => {
    const place = placeOf(keyOf(write))
    if ('put' in write) items.set(place, structuredClone(write.put))
    else if ('remove' in write) items.delete(place)
    else if ('update' in write) {
      const before = items.get(place) ?? {}
      const sums = Object.entries(write.add ?? {}).map(([name, by]) => [name, Number(before[name] ?? 0) + by])
      items.set(place, { ...write.update, ...before, ...write.set, ...Object.fromEntries(sums) })
    }
  }
  const query: Table['query'] = async ({ partition, beginsWith = '', index, descending, limit, after }) => {
    const [pk, sk] = [`${index ?? ''}pk`, `${index ?? ''}sk`]
    const orderOf = (item: Item) => String(item[sk])
    const found = [...items.values()]
      .filter((item) => item[pk] === partition && orderOf(item).startsWith(beginsWith))
      .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    if (descending) found.reverse()
    const rest = found.filter(
      (item) => after === undefined || (descending ? orderOf(item) < after : orderOf(item) > after),
    )
    const page = rest.slice(0, limit)
    return {
      items: structuredClone(page),
      last: page.length < rest.length ? orderOf(page.at(-1) ?? {}) : undefined,
    }
  }
  return {
    ...TABLE_WRITES,
    items: () => structuredClone([...items.values()]),
    query,
    queryAll: async (options) => (await query(options)).items,
    count: async (options) => (await query(options)).items.length,
    get: async (key) => structuredClone(items.get(placeOf(key))),
    getMany: async (keys) =>
      keys.flatMap((key) => {
        const item = items.get(placeOf(key))
        return item ? [structuredClone(item)] : []
      }),
    increment: async (key, add, set) => {
      const before = items.get(placeOf(key)) ?? {}
      const sums = Object.entries(add).map(([name, by]) => [name, Number(before[name] ?? 0) + by])
      const after = { ...key, ...before, ...set, ...Object.fromEntries(sums) }
      items.set(placeOf(key), after)
      return after
    },
    writeEach: async (writes) => {
      for (const write of writes) {
        if ('put' in write) items.set(`${write.put['pk']}\n${write.put['sk']}`, structuredClone(write.put))
        else items.delete(placeOf(write.remove))
      }
    },
    commit: async (writes) => {
      for (const write of writes) {
        const stored = items.get(placeOf(keyOf(write)))
        if (holds(write.when, stored)) continue
        const shown = writes.length === 1 ? structuredClone(stored) : undefined
        throw write.otherwise?.(shown) ?? new WriteConflict('Another writer was faster')
      }
      for (const write of writes) apply(write)
    },
  }
}

function holds(condition: Condition | undefined, item: Item | undefined): boolean {
  if (condition === undefined) return true
  if (condition === 'absent') return item === undefined
  if (condition === 'present') return item !== undefined
  if ('equals' in condition)
    return (
      item !== undefined &&
      Object.entries(condition.equals).every(([path, value]) => isDeepStrictEqual(valueAt(item, path), value))
    )
  if ('absentOrBelow' in condition) {
    const { attribute, value } = condition.absentOrBelow
    return item === undefined || Number(item[attribute]) < Number(value)
  }
  throw new Error('Only conditions of payments and accounts are known here')
}
