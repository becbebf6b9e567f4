import { removeResources, type Template } from './template.ts'

/** Matches the ARN of a table's stream: the table's ARN and its name are the groups. */
export const TABLE_STREAM = /^(arn:[a-z-]+:dynamodb:[a-z0-9-]+:\d{12}:table\/([\w.-]+))\/stream\/\S+$/

const TABLE = 'Table'

/**
 * Gives every function the table of `streamArn` in place of the template's own, which leaves the stack and is not
 * deleted.
 */
export function useRestoredTable(template: Template, streamArn: string): void {
  const [, arn = '', name = ''] = TABLE_STREAM.exec(streamArn) ?? []
  // The text for each attribute of the table; the empty name stands for a plain `Ref`.
  const values: Record<string, string> = { '': name, Arn: arn, StreamArn: streamArn }
  removeResources(template, [TABLE])
  Object.assign(template, replaceValues(template, values))
}

/** Returns a value in which text takes the place of each reference to the table. */
function replaceValues(value: unknown, values: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceValues(each, values))
  if (typeof value !== 'object' || value === null) return value
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value as Record<string, unknown>
  if (ref === TABLE) return values['']
  if (Array.isArray(attribute) && attribute[0] === TABLE) return values[`${attribute[1]}`]
  if (typeof text === 'string') return substituted(text, values)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceValues(inner, values)]))
}

function substituted(text: string, values: Record<string, string>): unknown {
  const known = text.replace(/\$\{Table(?:\.(\w+))?\}/g, (_, attribute = '') => values[attribute] ?? '')
  return known.includes('${') ? { 'Fn::Sub': known } : known
}
