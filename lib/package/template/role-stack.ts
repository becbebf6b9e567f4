import { sha256 } from '#lib/kernel/signatures'
import { type Resource, removeResources, resourcesOf, type Template } from './template.ts'

/** The nested stack of the functions' roles. It has one output for each role, and a template may have 200 outputs. */
export const ROLE_STACK = 'FunctionRoles'
const MOST_OUTPUTS = 200

type Attribute = { 'Fn::GetAtt': [string, string] }

/**
 * Moves the functions' roles into a nested stack, since a stack holds at most 500 resources. Returns its template, which is
 * to be stored in `folder` of the deployment bucket, under a name with a hash of its content.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-nested-stacks.html
 */
export function nestRoles(template: Template, folder: string): Template {
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
  const ids = [...new Set(functions.map(([, { Properties }]) => roleOf(Properties)))]
  if (ids.length > MOST_OUTPUTS)
    throw new Error(`${ROLE_STACK} has ${ids.length} roles, more than ${MOST_OUTPUTS}`)
  const { roles, parameters } = parameterize(template, ids)
  template.Resources[ROLE_STACK] = nestedStack(roles, parameters, `${folder}/${ROLE_STACK}`)
  for (const [, { Properties }] of functions) {
    Properties['Role'] = { 'Fn::GetAtt': [ROLE_STACK, `Outputs.${roleOf(Properties)}`] }
  }
  removeResources(template, ids)
  return roles
}

/** Returns the key of the nested template in the deployment bucket. */
export function roleTemplateKey({ Resources }: Template): string {
  const address = Resources[ROLE_STACK]?.Properties['TemplateURL'] as { 'Fn::Sub': string } | undefined
  return address?.['Fn::Sub'].replace(/^https:\/\/[^/]+\//, '') ?? ''
}

/** Returns the role of each function by the function's logical id, as if it stood in the template itself. */
export function rolesOfFunctions(template: Template, nested: Template): Record<string, Resource> {
  const values = template.Resources[ROLE_STACK]?.Properties['Parameters'] as Record<string, unknown>
  const roles = resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
    const [, output] = (Properties['Role'] as Attribute)['Fn::GetAtt']
    const role = nested.Resources[output.replace('Outputs.', '')]
    if (!role) throw new Error(`${id} has no role: ${ROLE_STACK} has no ${output}`)
    return [id, withValues(role, values) as Resource] as const
  })
  return Object.fromEntries(roles)
}

const roleOf = (properties: Record<string, unknown>): string =>
  (properties['Role'] as Attribute)['Fn::GetAtt'][0]

/** Returns roles as a template of their own, with a parameter for each reference to the rest of the whole template. */
function parameterize({ Resources }: Template, ids: readonly string[]) {
  const parameters = new Map<string, unknown>()
  const parameter = (name: string, value: unknown): string => {
    // The name of a parameter has letters and digits only.
    const id = name.replaceAll('.', '')
    parameters.set(id, value)
    return id
  }
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value as Record<string, unknown>
    if (typeof ref === 'string') return isPseudo(ref) ? value : { Ref: parameter(ref, value) }
    if (Array.isArray(attribute)) return { Ref: parameter(attribute.join('.'), value) }
    if (typeof text === 'string') {
      return {
        'Fn::Sub': text.replaceAll(REFERENCE, (whole, name: string) =>
          isPseudo(name) ? whole : `\${${parameter(name, referenceTo(name))}}`,
        ),
      }
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]))
  }
  const roles = Object.fromEntries(ids.map((id) => [id, replaced(Resources[id]) as Resource]))
  const declared = [...parameters.keys()].map((id) => [id, { Type: 'String' }])
  const outputs = ids.map((id) => [id, { Value: { 'Fn::GetAtt': [id, 'Arn'] } }])
  return {
    parameters: Object.fromEntries(parameters),
    roles: {
      Parameters: Object.fromEntries(declared),
      Resources: roles,
      Outputs: Object.fromEntries(outputs),
    } satisfies Template,
  }
}

/** A reference inside the text of `Fn::Sub`, such as `${Table.Arn}` or `${AWS::Region}`. */
const REFERENCE = /\$\{([\w.:]+)\}/g
const isPseudo = (name: string): boolean => name.startsWith('AWS::')

const referenceTo = (name: string): unknown => {
  const [id = '', attribute] = name.split('.')
  return attribute === undefined ? { Ref: id } : { 'Fn::GetAtt': [id, attribute] }
}

function nestedStack(roles: Template, Parameters: Record<string, unknown>, path: string): Resource {
  const hash = sha256(JSON.stringify(roles))
  const host = '${ServerlessDeploymentBucket}.s3.${AWS::Region}.${AWS::URLSuffix}'
  return {
    Type: 'AWS::CloudFormation::Stack',
    Properties: { TemplateURL: { 'Fn::Sub': `https://${host}/${path}-${hash}.json` }, Parameters },
  }
}

/**
 * Returns a nested role in which each parameter's value takes the place of the parameter. No `Fn::GetAtt` is left in it:
 * `parameterize` has replaced them all.
 */
function withValues(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => withValues(each, values))
  if (typeof value !== 'object' || value === null) return value
  const { Ref: ref, 'Fn::Sub': text } = value as Record<string, unknown>
  if (typeof ref === 'string') return values[ref] ?? value
  if (typeof text === 'string') {
    return {
      'Fn::Sub': text.replaceAll(REFERENCE, (whole, id: string) =>
        id in values ? `\${${nameOf(values[id])}}` : whole,
      ),
    }
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withValues(inner, values)]))
}

const nameOf = (reference: unknown): string => {
  const { Ref: ref, 'Fn::GetAtt': attribute } = reference as Record<string, string | string[]>
  return [ref ?? attribute ?? []].flat().join('.')
}
