export type Statement = {
  Effect: 'Allow'
  Action: string[]
  Resource: unknown
  Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Permissions by their cause: a variable, a kind of event source, a function's name, or a service that dependencies use,
 * such as `eventBus`.
 */
export type GrantTable = Readonly<Record<string, readonly Statement[]>>

/**
 * Returns an ARN of a template as text, to compare ARNs by. A reference keeps its name, as in `{Table.Arn}/index/gsi1`,
 * since only a deployment knows its value.
 */
export function arnOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = (value ?? {}) as Record<string, unknown>
  if (Ref !== undefined) return `{${Ref}}`
  if (attribute !== undefined) return `{${[attribute].flat().join('.')}}`
  return String(text).replaceAll(/\$\{([^}]+)\}/g, '{$1}')
}
