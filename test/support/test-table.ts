import { openTable, type Table } from '#lib/dynamo/table'

/** Returns the table of this test file, through a client of its own if one is given. */
export const testTable = (client?: Parameters<typeof openTable>[1]): Table =>
  openTable(process.env['TABLE_NAME'] ?? '', client)
