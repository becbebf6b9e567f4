/** A cell of a table: text, a whole number, or null for an empty cell. */
type Cell = string | number | null

/** First characters that make a spreadsheet run a text as a formula or split its cell (OWASP, "CSV Injection"). */
const EXECUTABLE = /^[=+\-@\t\r\n]/

/** Writes a table as CSV (RFC 4180). A text that a spreadsheet would execute gets a leading apostrophe. */
export const writeCsv = (names: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [names, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')

function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = EXECUTABLE.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
