import * as z from 'zod'

/** One rule of an event source mapping's filter: a value, or one of the operators the local stack knows. */
const Rule = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
])
type Rule = z.infer<typeof Rule>

/** A filter pattern as AWS Lambda has it: the shape of the event, with a list of rules at each leaf. */
export type FilterPattern = { [field: string]: FilterPattern | Rule[] }

/** Refuses an operator that Lambda may know and the local stack does not, so that none is silently ignored. */
export const FilterPattern: z.ZodType<FilterPattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(Rule), FilterPattern])),
)

/** Whether the value has every field of the pattern with a value that one of the field's rules allows. */
export function matchesPattern(value: unknown, pattern: FilterPattern): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const found = fieldOf(value, field)
    return Array.isArray(expected)
      ? expected.some((rule) => allows(rule, found))
      : matchesPattern(found, expected)
  })
}

function allows(rule: Rule, found: unknown): boolean {
  if (Array.isArray(found)) return found.some((each) => allows(rule, each))
  if (typeof rule !== 'object' || rule === null) return found === rule
  if ('prefix' in rule) return typeof found === 'string' && found.startsWith(rule.prefix)
  return rule.exists === (found !== undefined)
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
