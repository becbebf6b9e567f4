import { TABLE_STREAM } from '../package/template/restored-table.ts'

/** The logical id of the table in `lib/dynamo/table.yml`. */
export const TABLE_ID = 'Table'

/** Returns the name of a table by the ARN of its stream, which `--param restoredTable` gives. */
export const tableNameOf = (streamArn: string): string => TABLE_STREAM.exec(streamArn)?.[2] ?? ''

/** Whether a stack has functions. A stack without functions is one whose first release failed. */
export const hasFunctions = (deployed: ReadonlyMap<string, string> | undefined): boolean =>
  [...(deployed?.keys() ?? [])].some((id) => id.endsWith('LambdaFunction'))

/**
 * Throws where a stage on a restored table would get an empty one, since none is named. Also throws where the table named as
 * restored is the stack's own. Any other takes the place of the stack's own, which leaves the stack and is not deleted.
 * `deployed` holds the resources of the stack by their logical ids, or is undefined for a new stack.
 */
export function requireSameTable(
  deployed: ReadonlyMap<string, string> | undefined,
  restoredTable: string | undefined,
): void {
  const own = deployed?.get(TABLE_ID)
  const usesRestoredTable = hasFunctions(deployed) && own === undefined
  if (usesRestoredTable && restoredTable === undefined) {
    throw new Error(
      'The stage has a restored table, which is not of its stack: say --param restoredTable=<ARN of its stream>, ' +
        'or take the table in first with npm run import-table',
    )
  }
  if (own !== undefined && restoredTable !== undefined && own === tableNameOf(restoredTable))
    throw new Error(`--param restoredTable: ${own} is the stack's own table already`)
}
