/** Reads CSV as a spreadsheet does (RFC 4180): rows of cells, without the quotes. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  for (let match = cells.exec(text); match && match.index < text.length; match = cells.exec(text)) {
    const [, quoted, plain = '', end] = match
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}
