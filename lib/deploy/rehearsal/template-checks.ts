import { isDeepStrictEqual } from 'node:util'
import { templateKeys } from '../../package/template/role-stacks.ts'
import type { Template } from '../../package/template/template.ts'

/** What the stand-in of CloudFormation needs of the other stand-ins of AWS. */
export type OtherServices = {
  /** The text of an object of the deployment bucket. */
  readObject: (key: string) => Promise<string>
  /** The text of the object at the URL of a template. */
  readTemplate: (address: string) => Promise<string>
  validate: (text: string) => Promise<readonly string[]>
  /** Whether SSM holds a parameter of the type String. */
  hasParameter: (name: string) => boolean
  hasObject: (bucket: string, key: string) => Promise<boolean>
  /** The one bucket that stands in for every bucket of a stack. */
  bucket: string
  /** The value of an output of a stack. */
  outputOf: (stackName: string, key: string) => string
}

/** A refusal as CloudFormation words it. */
export class ValidationError extends Error {}

/** Throws a `ValidationError` where a template names a parameter, resource or artefact that does not exist. */
export async function checkTemplate(template: Template, services: OtherServices): Promise<void> {
  const { Resources, Parameters = {} } = template
  // Every parameter of a stack comes from SSM: its default is its name there.
  const missing = Object.values(Parameters).flatMap(({ Default }) =>
    services.hasParameter(`${Default}`) ? [] : [`${Default}`],
  )
  if (missing.length > 0) {
    throw new ValidationError(
      `Unable to fetch parameters [${missing.join(',')}] from parameter store for this account`,
    )
  }
  requireReferences(template)
  for (const nested of templateKeys(template)) await checkNested(template, nested, services)
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue
    const { S3Key } = Properties['Code'] as { S3Key: string }
    if (!(await services.hasObject(services.bucket, S3Key))) {
      throw new ValidationError(`${id}: the specified key does not exist: ${S3Key}`)
    }
  }
}

/** Throws unless every reference is to a resource or parameter. AWS's own, such as `AWS::Region`, are not looked at. */
function requireReferences({ Resources, Parameters = {} }: Template): void {
  const known = new Set([...Object.keys(Resources), ...Object.keys(Parameters)])
  const text = JSON.stringify(Resources)
  const referred = [...text.matchAll(/"Ref":"([A-Za-z0-9]+)"|"Fn::GetAtt":\["([A-Za-z0-9]+)"/g)]
  const unresolved = referred
    .map(([, ref, attribute]) => ref ?? attribute ?? '')
    .filter((id) => !known.has(id))
  if (unresolved.length > 0)
    throw new ValidationError(`Unresolved resource dependencies [${unresolved.join(', ')}]`)
}

/** Throws unless a nested stack's template is stored, valid, given its parameters, and has the outputs that are read. */
async function checkNested(
  template: Template,
  [id, key]: readonly [string, string],
  services: OtherServices,
): Promise<void> {
  if (!(await services.hasObject(services.bucket, key)))
    throw new ValidationError(`${id}: the specified key does not exist: ${key}`)
  const text = await services.readObject(key)
  const findings = await services.validate(text)
  if (findings.length > 0) throw new ValidationError(`${id}: ${findings.join('; ')}`)
  const nested = JSON.parse(text) as Template
  requireReferences(nested)
  const given = template.Resources[id]?.Properties['Parameters'] ?? {}
  if (!isDeepStrictEqual(Object.keys(given).sort(), Object.keys(nested.Parameters ?? {}).sort()))
    throw new ValidationError(`${id}: Parameters must have values: ${Object.keys(nested.Parameters ?? {})}`)
  const read = JSON.stringify(template.Resources).matchAll(
    new RegExp(`"Fn::GetAtt":\\["${id}","Outputs\\.(\\w+)"`, 'g'),
  )
  for (const [, output = ''] of read)
    if (!(output in (nested.Outputs ?? {}))) throw new ValidationError(`${id} has no output ${output}`)
}

/** Throws unless an import adds only the resource that it names, with a deletion policy, and changes no other. */
export function checkImport(before: Template, after: Template, form: URLSearchParams): void {
  const named = form.get('ResourcesToImport.member.1.LogicalResourceId') ?? ''
  const { [named]: added, ...others } = after.Resources
  if (added?.DeletionPolicy === undefined || named in before.Resources)
    throw new ValidationError(`${named} cannot be imported`)
  if (!isDeepStrictEqual({ ...after, Resources: others }, before))
    throw new ValidationError('You have modified resources in your template that are not being imported')
}
