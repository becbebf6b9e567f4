import type { DeployedFunction } from './functions.ts'

/** Values of variables when deployed: text, or an expression for CloudFormation. Null: not set in the cloud. */
export type VariableTable = Readonly<Record<string, unknown>>

/**
 * Returns the environment of a deployed function: exactly the variables that it reads. Throws for a variable that the table
 * does not hold; leaves out one whose value is null or empty.
 */
export const environmentOf = (
  { name, variables }: DeployedFunction,
  table: VariableTable,
): Record<string, unknown> => {
  const unknown = variables.filter((variable) => !(variable in table))
  if (unknown.length > 0) {
    throw new Error(
      `${name} reads ${unknown.join(', ')}: serverless.yml says no value under custom.variables`,
    )
  }
  return Object.fromEntries(
    variables.flatMap((variable) => {
      const value = table[variable]
      return value === null || value === '' ? [] : [[variable, value]]
    }),
  )
}
