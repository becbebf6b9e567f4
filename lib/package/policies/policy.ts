import { arnOf, partitionsOf, type Statement } from '../grants.ts'

/** A request as IAM judges it. `leadingKeys` are the partitions of the table that it touches. */
export type Request = { action: string; resource: string; leadingKeys?: readonly string[] }

/**
 * Whether a statement allows a request by IAM's rules, for the forms that our policies use: `Allow`, `*` and `?` in
 * actions and resources, and `ForAllValues:StringLike` on the leading keys. A condition of another kind is not judged:
 * it holds.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export const allows = (statement: Statement, { action, resource, leadingKeys = [] }: Request): boolean =>
  statement.Action.some((pattern) => isLike(pattern, action)) &&
  [statement.Resource].flat().some((pattern) => isLike(arnOf(pattern), resource)) &&
  leadingKeys.every((key) => (partitionsOf(statement) ?? ['*']).some((pattern) => isLike(pattern, key)))

function isLike(pattern: string, value: string): boolean {
  const escaped = pattern.replace(/[.+^$()|[\]\\{}]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(value)
}
