import type { Template } from './template.ts'

const REFERENCE = /^\{\{resolve:ssm:([^}:]+)\}\}$/

/**
 * Replaces dynamic references to SSM by parameters of the template. CloudFormation takes at most 60 references, and
 * counts a parameter once for all functions. A deployment stops before it changes anything if a name does not exist in
 * SSM.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
 */
export function referToParameters(template: Template): void {
  const parameters = new Map<string, string>()
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return refer(value, parameters)
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner)]))
  }
  for (const resource of Object.values(template.Resources)) {
    resource.Properties = Object.fromEntries(
      Object.entries(resource.Properties ?? {}).map(([key, value]) => [key, replace(value)]),
    )
  }
  const declared = [...parameters].map(([Default, id]) => [id, { Type: SSM_STRING, Default }])
  template.Parameters = { ...template.Parameters, ...Object.fromEntries(declared) }
}

const SSM_STRING = 'AWS::SSM::Parameter::Value<String>'

/** A text that is only a reference becomes a `Ref`; a text that contains one becomes a `Fn::Join`. */
function refer(text: string, parameters: Map<string, string>): unknown {
  const parts = text.split(/(\{\{resolve:ssm:[^}]+\}\})/).filter((part) => part !== '')
  const replaced = parts.map((part) => {
    const name = REFERENCE.exec(part)?.[1]
    if (name === undefined) return part
    const id = logicalId(name)
    parameters.set(name, id)
    return { Ref: id }
  })
  // A reference with a version, which no parameter can stand for, stays in its text.
  if (replaced.every((part) => typeof part === 'string')) return text
  const [only, ...others] = replaced
  return others.length > 0 ? { 'Fn::Join': ['', replaced] } : only
}

/** Returns the id of a parameter: `AuthJwksParameter` for `/platform-api/prod/auth-jwks`. */
const logicalId = (name: string): string => {
  const words = (name.split('/').at(-1) ?? '').split('-')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Parameter`
}
