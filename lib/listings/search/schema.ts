import { COMPARED_COLUMNS } from './compared-fields.ts'

/**
 * The tables of the copy; `n` numbers rows. Times are milliseconds since 1970. `until` is the end of the agent's eligibility,
 * 0 without it; the listing has it, too, to save a join. `areaUp` and `areaDown` are the area in two columns: both orders then
 * end with the listings without an area. A row of `features` is a set of features, which listings share; `has` says which sets
 * contain a feature. Columns with `key` in their name are folded for comparison. `x` and `y` are the point in Web Mercator;
 * `spot` indexes the points in degrees. `fingerprint` is a hash of the row: a listing that has changed since is shown only if
 * its new row would have the same. `textsHash` is that of title, features and words. `removed` keeps the versions of removed
 * listings, so that no older change brings a listing back. `words` returns only numbers of rows, so FTS5 stores neither text
 * (`content`) nor positions (`detail`). The words are folded before they are stored. `prefix` speeds up beginnings of one and
 * two characters.
 */
export const TABLES = `
CREATE TABLE listing (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, agent INTEGER NOT NULL,
  until INTEGER NOT NULL, place INTEGER NOT NULL, features INTEGER NOT NULL, lat REAL, lng REAL, x REAL, y REAL,
  title TEXT NOT NULL, fingerprint TEXT NOT NULL, textsHash TEXT NOT NULL,
  ${COMPARED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')}
);
CREATE TABLE agent (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE TABLE removed (id TEXT PRIMARY KEY, version INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE place (
  n INTEGER PRIMARY KEY, country TEXT NOT NULL, city TEXT NOT NULL, district TEXT NOT NULL,
  cityKey TEXT NOT NULL, districtKey TEXT NOT NULL, UNIQUE (country, city, district)
);
CREATE TABLE feature (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL);
CREATE TABLE features (n INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
CREATE TABLE has (features INTEGER NOT NULL, feature INTEGER NOT NULL, PRIMARY KEY (feature, features)) WITHOUT ROWID;
CREATE VIRTUAL TABLE spot USING rtree(n, south, north, west, east);
CREATE VIRTUAL TABLE words USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='1 2'
)`

/** An index for each order of a page, and for each filter that leaves few listings. Queries sort ties by id. */
export const INDEXES = `
CREATE INDEX by_newest ON listing (publishedAt);
CREATE INDEX by_price ON listing (currency, amount);
CREATE INDEX by_area ON listing (areaUp);
CREATE INDEX by_area_down ON listing (areaDown);
CREATE INDEX by_place ON listing (place);
CREATE INDEX by_agent ON listing (agent);
CREATE INDEX place_by_city ON place (cityKey);
CREATE INDEX feature_by_key ON feature (key)`
