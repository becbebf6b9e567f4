import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { foldedText } from '#lib/kernel/folded-text'
import type { ListingId } from '#lib/kernel/id'
import { COMPARED_COLUMNS, type Value } from './compared-fields.ts'
import { INDEXES, TABLES } from './schema.ts'
import { fingerprintOf, type ListingChange, type SearchChange, SearchRow, SearchTexts } from './search-row.ts'
import { distanceKm } from './sphere.ts'
import { projected } from './squares.ts'

/** A piece of SQL with the values of its placeholders, in order. */
export type Sql = { text: string; values: Value[] }

/**
 * The rows for counting facets: those that pass every filter, and those that fail just one. `failedPlace` selects 0 for
 * the former, else the place (from 1) of the failed filter's column in the tally.
 */
export type NearlyFound = { source: Sql; failedPlace: Sql }

export type Row = Record<string, Value>

/** A reading copy of all public listings in a database of its own. */
export type SearchCopy = {
  /** The rows of a query. A statement is prepared once. */
  all: (sql: string, values: readonly Value[]) => Row[]
  /**
   * Counts facets in one pass: the rows that pass every filter, and in each column the rows of each value. A column is
   * counted as if the filter on it were not set.
   */
  tally: (columns: readonly string[], rows: NearlyFound) => { total: number; counts: Map<Value, number>[] }
  /**
   * Applies changes in one transaction. Ignores a row that is not newer than the copy's. Removals keep `at`, in Unix
   * milliseconds. Leaves out a row whose texts neither the change nor the copy has, and returns the ids of these listings.
   */
  apply: (changes: readonly SearchChange[], at: number) => ListingId[]
  /** Returns the database as bytes. Forgets removals before a time: the log no longer holds older changes. */
  pack: (removedBefore: number) => Uint8Array
  close: () => void
}

/** Opens an empty copy, or one of a packed database. Throws for bytes that are no database. */
export function openCopy(packed?: Uint8Array): SearchCopy {
  const database = new DatabaseSync(':memory:')
  if (packed) database.deserialize(packed)
  else database.exec(`${TABLES};${INDEXES}`)
  // SQLite looks at the bytes only when it reads.
  database.prepare('SELECT n FROM listing LIMIT 1').get()
  database.function('km', { deterministic: true }, (lat, lng, toLat, toLng) =>
    distanceKm({ lat: Number(lat), lng: Number(lng) }, { lat: Number(toLat), lng: Number(toLng) }),
  )
  // The aggregate function can return only the total. It leaves the counts here.
  let tallies: Map<Value, number>[] = []
  const countValue = (place: number, value: SQLOutputValue | undefined) => {
    const counts = tallies[place]
    const known = typeof value === 'string' || typeof value === 'number' ? value : null
    counts?.set(known, (counts.get(known) ?? 0) + 1)
  }
  database.aggregate('tally', {
    start: 0,
    varargs: true,
    step: (total: number, failedPlace: SQLOutputValue, ...values: SQLOutputValue[]) => {
      if (failedPlace !== 0) {
        countValue(Number(failedPlace) - 1, values[Number(failedPlace) - 1])
        return total
      }
      // A loop by index, since it runs for each row: an iterator would take twice the time.
      for (let place = 0; place < values.length; place += 1) countValue(place, values[place])
      return total + 1
    },
  })
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    statements.set(sql, statement)
    return statement
  }
  const run = (sql: string, ...values: Value[]) => prepared(sql).run(...values)
  const get = (sql: string, ...values: Value[]) => prepared(sql).get(...values)
  return {
    all: (sql, values) => prepared(sql).all(...values) as Row[],
    tally: (columns, { source, failedPlace }) => {
      tallies = columns.map(() => new Map())
      const counted = [failedPlace.text, ...columns].join(', ')
      const text = `SELECT tally(${counted}) AS total ${source.text}`
      const row = prepared(text).get(...failedPlace.values, ...source.values)
      return { total: Number(row?.['total']), counts: tallies }
    },
    apply: (changes, at) => {
      if (changes.length === 0) return []
      const lacking = new Set<ListingId>()
      database.exec('BEGIN')
      try {
        for (const change of changes) {
          if ('until' in change) applyEligibility({ run, get }, change)
          else if (!applyRow({ run, get }, change, at)) lacking.add(change.subject)
        }
        database.exec('COMMIT')
        return [...lacking]
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    pack: (removedBefore) => {
      run('DELETE FROM removed WHERE at < ?', removedBefore)
      // FTS5 takes this insert as a command: it merges the index of words into its smallest form.
      run("INSERT INTO words (words) VALUES ('optimize')")
      const pages = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
      const isQuarterFree = pages('freelist_count') * 4 > pages('page_count')
      if (isQuarterFree) database.exec('VACUUM')
      return database.serialize()
    },
    close: () => database.close(),
  }
}

/** The largest number of prepared statements. Beyond it all are dropped and prepared again when needed. */
const STATEMENTS_MAX = 200

type Statements = {
  run: (sql: string, ...values: Value[]) => { lastInsertRowid: number | bigint }
  get: (sql: string, ...values: Value[]) => Record<string, unknown> | undefined
}

/** Applies a listing's change. Returns false, and changes nothing, if its texts are neither in the change nor in the copy. */
function applyRow(database: Statements, change: ListingChange, at: number): boolean {
  const { get, run } = database
  const { subject, version, row, texts } = change
  const held = get('SELECT n, version, title, features, textsHash FROM listing WHERE id = ?', subject)
  const removed = get('SELECT version FROM removed WHERE id = ?', subject)
  if (Number(held?.['version'] ?? 0) >= version || Number(removed?.['version'] ?? 0) >= version) return true
  if (row === null) {
    if (held) removeListing(database, Number(held['n']))
    run('REPLACE INTO removed (id, version, at) VALUES (?, ?, ?)', subject, version, at)
    return true
  }
  const values = SearchRow.parse(JSON.parse(row))
  const given = texts === null ? null : SearchTexts.parse(JSON.parse(texts))
  if (given === null && held?.['textsHash'] !== values.textsHash) return false
  run('DELETE FROM removed WHERE id = ?', subject)
  const n = putListing(database, {
    n: held ? Number(held['n']) : null,
    id: subject,
    version,
    title: given?.title ?? String(held?.['title']),
    features: given ? featuresOf(database, given.features) : Number(held?.['features']),
    fingerprint: fingerprintOf(row),
    ...columnsOf(database, values),
  })
  if (given) run('REPLACE INTO words (rowid, text) VALUES (?, ?)', n, given.words)
  return true
}

type Eligibility = Extract<SearchChange, { until: unknown }>

function applyEligibility({ get, run }: Statements, { subject, version, until }: Eligibility): void {
  const seen = get('SELECT revision FROM agent WHERE id = ?', subject)
  // `>`, not `>=` as for a row: of several changes of one revision, the last applied counts.
  if (Number(seen?.['revision'] ?? -1) > version) return
  const agent = agentOf({ get, run }, subject)
  const endsAt = until === null ? 0 : Date.parse(until)
  run('UPDATE agent SET revision = ?, until = ? WHERE n = ?', version, endsAt, agent)
  run('UPDATE listing SET until = ? WHERE agent = ?', endsAt, agent)
}

/** Returns an agent's number. Adds an unknown agent, who is not eligible until a change says so. */
function agentOf({ get, run }: Statements, id: string): number {
  const known = get('SELECT n FROM agent WHERE id = ?', id)
  if (known) return Number(known['n'])
  return Number(run('INSERT INTO agent (id, revision, until) VALUES (?, -1, 0)', id).lastInsertRowid)
}

function removeListing({ run }: Statements, n: number): void {
  for (const [table, column] of TABLES_OF_A_LISTING) run(`DELETE FROM ${table} WHERE ${column} = ?`, n)
}

const TABLES_OF_A_LISTING = [
  ['listing', 'n'],
  ['spot', 'n'],
  ['words', 'rowid'],
] as const

/** Inserts a listing, or replaces the one with its number. Returns the number. */
function putListing({ run }: Statements, listing: Record<string, Value>): number {
  const names = Object.keys(listing)
  const marks = names.map(() => '?').join(', ')
  const put = `REPLACE INTO listing (${names.join(', ')}) VALUES (${marks})`
  const n = Number(run(put, ...Object.values(listing)).lastInsertRowid)
  const { lat = null, lng = null } = listing
  // The R*Tree holds rectangles: a point is one whose south is its north, and whose west is its east.
  if (lat === null || lng === null) run('DELETE FROM spot WHERE n = ?', n)
  else run('REPLACE INTO spot VALUES (?, ?, ?, ?, ?)', n, lat, lat, lng, lng)
  return n
}

/** Returns the columns of a listing that its row gives. */
function columnsOf(database: Statements, row: SearchRow) {
  const { lat, lng } = row
  const { x, y } = lat === null || lng === null ? { x: null, y: null } : projected({ lat, lng })
  const agent = agentOf(database, row.agentId)
  return {
    agent,
    until: Number(database.get('SELECT until FROM agent WHERE n = ?', agent)?.['until']),
    place: placeOf(database, row),
    lat,
    lng,
    x,
    y,
    textsHash: row.textsHash,
    ...Object.fromEntries(COMPARED_COLUMNS.map(({ name, value }) => [name, value(row)])),
  }
}

function placeOf({ get, run }: Statements, { country, city, district }: SearchRow): number {
  const named = [country, city, district ?? ''] as const
  const known = get('SELECT n FROM place WHERE country = ? AND city = ? AND district = ?', ...named)
  if (known) return Number(known['n'])
  const keys = [foldedText(city), foldedText(district ?? '')] as const
  const insert = 'INSERT INTO place (country, city, district, cityKey, districtKey) VALUES (?, ?, ?, ?, ?)'
  return Number(run(insert, ...named, ...keys).lastInsertRowid)
}

/** Returns the number of a set of features, and adds an unknown set. Of several spellings of a feature the first counts. */
function featuresOf(database: Statements, names: readonly string[]): number {
  const { get, run } = database
  const features = new Map(names.toReversed().map((name) => [foldedText(name), name]))
  const sorted = JSON.stringify([...features.values()].sort())
  const known = get('SELECT n FROM features WHERE names = ?', sorted)
  if (known) return Number(known['n'])
  const n = Number(run('INSERT INTO features (names) VALUES (?)', sorted).lastInsertRowid)
  for (const name of features.values()) {
    run('INSERT INTO has (features, feature) VALUES (?, ?)', n, featureOf(database, name))
  }
  return n
}

function featureOf({ get, run }: Statements, name: string): number {
  const known = get('SELECT n FROM feature WHERE name = ?', name)
  if (known) return Number(known['n'])
  return Number(run('INSERT INTO feature (name, key) VALUES (?, ?)', name, foldedText(name)).lastInsertRowid)
}
