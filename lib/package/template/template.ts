import type { Statement } from '../grants.ts'

/** A resource of a CloudFormation template. */
export type Resource = {
  Type: string
  Properties: Record<string, unknown>
  DependsOn?: string | string[]
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  Condition?: string
}

/** A CloudFormation template, as osls compiles it and as the files of this folder complete it. */
export type Template = {
  Resources: Record<string, Resource>
  Parameters?: Record<string, Record<string, unknown>>
  Outputs?: Record<string, Record<string, unknown>>
}

/** Returns the resources of a type, with their logical ids. */
export const resourcesOf = ({ Resources }: Template, type: string): [string, Resource][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type)

/** Removes resources, and every `DependsOn` that names one of them. */
export function removeResources(template: Template, ids: readonly string[]): void {
  const removed = new Set(ids)
  for (const id of removed) delete template.Resources[id]
  for (const resource of Object.values(template.Resources)) {
    const kept = [resource.DependsOn ?? []].flat().filter((id) => !removed.has(id))
    if (kept.length > 0) resource.DependsOn = kept
    else delete resource.DependsOn
  }
}

type RoleProperties = { Policies: { PolicyDocument: { Statement: Statement[] } }[] }

/**
 * Adds a statement to each policy of the functions' roles. `statementFor` receives what the policy allows already, and
 * returns undefined to add none.
 */
export function allowFunctions(
  template: Template,
  statementFor: (allowed: readonly Statement[]) => Statement | undefined,
): void {
  const roles = new Set(
    resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) => {
      const role = Properties['Role'] as { 'Fn::GetAtt'?: string[] } | undefined
      return role?.['Fn::GetAtt']?.[0] ?? ''
    }),
  )
  for (const id of roles) {
    const { Policies = [] } = (template.Resources[id]?.Properties ?? {}) as Partial<RoleProperties>
    for (const { PolicyDocument } of Policies) {
      const added = statementFor(PolicyDocument.Statement)
      if (added) PolicyDocument.Statement.push(added)
    }
  }
}
