export type Statement = {
  Effect: 'Allow'
  Action: string[]
  Resource: unknown
  Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Permissions by their cause: a variable that is read, a kind of event source, or a function's name. */
export type GrantTable = Readonly<Record<string, readonly Statement[]>>

/** An ARN with its references by name, such as `{Table.Arn}/index/gsi1`: the template does not know the account. */
export function arnOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = (value ?? {}) as Record<string, unknown>
  if (Ref !== undefined) return `{${Ref}}`
  if (attribute !== undefined) return `{${[attribute].flat().join('.')}}`
  return String(text).replaceAll(/\$\{([^}]+)\}/g, '{$1}')
}

/** The partitions that a statement is limited to, as patterns such as `USER#*`; undefined where it has no such limit. */
export const partitionsOf = ({ Condition }: Statement): readonly string[] | undefined =>
  Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] as readonly string[] | undefined

/** A statement limited to some of its partitions, by their names, or left out where none of them is left. */
export function withinPartitions(
  statement: Statement,
  mayTouch: (partition: string) => boolean,
): Statement[] {
  const partitions = partitionsOf(statement)
  if (partitions === undefined) return [statement]
  const kept = partitions.filter((pattern) => mayTouch(pattern.replace('#*', '')))
  const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kept } }
  return kept.length > 0 ? [{ ...statement, Condition }] : []
}

/** By action or, within a folder, `s3:GetObject originals/`: the names of the functions that never need it, separated by spaces. */
export type NeverDone = Readonly<Record<string, string>>

/** The actions that a function never needs, though its bundle could send them. */
export const deniedTo = (name: string, never: NeverDone): ReadonlySet<string> =>
  new Set(Object.keys(never).filter((action) => never[action]?.split(' ').includes(name)))
