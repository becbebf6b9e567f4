import type { Statement } from '../grants.ts'

/** A request as IAM judges it. `leadingKeys` are the partitions of the table that it touches. */
export type Request = { action: string; resource: string; leadingKeys?: readonly string[] }

/**
 * Whether a statement allows a request, by IAM's rules for what our policies hold: `Allow` alone, `*` and `?` in actions and
 * resources, and `ForAllValues:StringLike` on the leading keys. A condition of another kind is not judged: it holds.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export const allows = (statement: Statement, { action, resource, leadingKeys = [] }: Request): boolean =>
  statement.Action.some((pattern) => isLike(pattern, action)) &&
  [statement.Resource].flat().some((pattern) => isLike(arnOf(pattern), resource)) &&
  leadingKeys.every((key) => patternsOf(statement).some((pattern) => isLike(pattern, key)))

/** The partitions that a statement is limited to; without a limit, every one. */
function patternsOf({ Condition }: Statement): readonly string[] {
  const limits = Condition as Record<string, Record<string, readonly string[]>> | undefined
  return limits?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? ['*']
}

/** An ARN with its references by name, such as `{Table.Arn}/index/*`: the template does not know the account. */
export function arnOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = (value ?? {}) as Record<string, unknown>
  if (Ref !== undefined) return `{${Ref}}`
  if (attribute !== undefined) return `{${[attribute].flat().join('.')}}`
  return String(text).replaceAll(/\$\{([^}]+)\}/g, '{$1}')
}

const isLike = (pattern: string, value: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(value)
