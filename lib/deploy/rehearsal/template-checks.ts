import { isDeepStrictEqual } from 'node:util'
import type { Template } from '../../package/template/template.ts'

export type Neighbours = {
  /** The text of an object that a template's address names. */
  readTemplate: (address: string) => Promise<string>
  validate: (text: string) => Promise<readonly string[]>
  /** Whether SSM holds a parameter of the type String. */
  hasParameter: (name: string) => boolean
  hasObject: (bucket: string, key: string) => Promise<boolean>
  /** The bucket that stands for every one that a stack makes. */
  bucket: string
  /** The value of an output of a stack. */
  outputOf: (stackName: string, key: string) => string
}

/** A refusal as CloudFormation words it. */
export class ValidationError extends Error {}

export async function check({ Resources, Parameters = {} }: Template, neighbours: Neighbours): Promise<void> {
  const missing = Object.values(Parameters).flatMap(({ Default }) =>
    neighbours.hasParameter(`${Default}`) ? [] : [`${Default}`],
  )
  if (missing.length > 0) {
    throw new ValidationError(
      `Unable to fetch parameters [${missing.join(',')}] from parameter store for this account`,
    )
  }
  const known = new Set([...Object.keys(Resources), ...Object.keys(Parameters)])
  const text = JSON.stringify(Resources)
  const referred = [...text.matchAll(/"Ref":"([A-Za-z0-9]+)"|"Fn::GetAtt":\["([A-Za-z0-9]+)"/g)]
  const unresolved = referred
    .map(([, ref, attribute]) => ref ?? attribute ?? '')
    .filter((id) => !known.has(id))
  if (unresolved.length > 0)
    throw new ValidationError(`Unresolved resource dependencies [${unresolved.join(', ')}]`)
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue
    const { S3Key } = Properties['Code'] as { S3Key: string }
    if (!(await neighbours.hasObject(neighbours.bucket, S3Key))) {
      throw new ValidationError(`${id}: the specified key does not exist: ${S3Key}`)
    }
  }
}

/** An import adds the resources that it names, each of which is kept when it is deleted, and changes nothing else. */
export function checkImport(before: Template, after: Template, form: URLSearchParams): void {
  const named = form.get('ResourcesToImport.member.1.LogicalResourceId') ?? ''
  const { [named]: added, ...others } = after.Resources
  if (added?.DeletionPolicy === undefined || named in before.Resources)
    throw new ValidationError(`${named} cannot be imported`)
  if (!isDeepStrictEqual({ ...after, Resources: others }, before))
    throw new ValidationError('You have modified resources in your template that are not being imported')
}
