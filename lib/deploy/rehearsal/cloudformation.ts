import { randomUUID } from 'node:crypto'
import type { Template } from '../../package/template/template.ts'
import { checkImport, checkTemplate, type OtherServices, ValidationError } from './template-checks.ts'

type Stack = {
  id: string
  name: string
  status: string
  template: Template
  events: StackEvent[]
  /** The alarms that roll a deployment back. A deployment that names none keeps those of the one before. */
  rolledBackBy: readonly string[]
}
type ChangeSet = {
  template: Template
  verb: 'CREATE' | 'UPDATE' | 'IMPORT'
  rolledBackBy: readonly string[] | undefined
}
type StackEvent = { id: string; logicalId: string; type: string; status: string; reason?: string }
type Action = (form: URLSearchParams) => Promise<string> | string

/**
 * Makes a stand-in of CloudFormation: it takes templates, checks that their parameters, artefacts and references exist,
 * and reports every resource as created. `stacks` holds the deployed stacks.
 */
export function cloudFormation(services: OtherServices) {
  const stacks = new Map<string, Stack>()
  const changeSets = new Map<string, ChangeSet>()
  const removed: Stack[] = []
  /** The names of the stacks whose next update fails. */
  const failing = new Set<string>()

  const textOf = async (form: URLSearchParams): Promise<string> => {
    const address = form.get('TemplateURL')
    return address === null ? (form.get('TemplateBody') ?? '') : services.readTemplate(address)
  }
  const templateOf = async (form: URLSearchParams): Promise<Template> => {
    const template = JSON.parse(await textOf(form)) as Template
    await checkTemplate(template, services)
    return template
  }
  const stackOf = (form: URLSearchParams): Stack => {
    const nameOrId = form.get('StackName') ?? ''
    // A removed stack can still be read by its id.
    const stack =
      [...stacks.values()].find(({ id, name }) => id === nameOrId || name === nameOrId) ??
      removed.find(({ id }) => id === nameOrId)
    if (!stack) throw new ValidationError(`Stack with id ${nameOrId} does not exist`)
    return stack
  }
  const deploy = (name: string, { template, verb, rolledBackBy }: ChangeSet): void => {
    const id = `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/${randomUUID()}`
    const stack = stacks.get(name) ?? { id, name, status: '', template, events: [], rolledBackBy: [] }
    if (rolledBackBy) stack.rolledBackBy = rolledBackBy
    const resources = Object.entries(template.Resources)
    const made = resources.map(([logicalId, { Type }]) => event(logicalId, Type, `${verb}_COMPLETE`))
    stack.events = [
      event(name, STACK, `${verb}_IN_PROGRESS`),
      ...made,
      event(name, STACK, `${verb}_COMPLETE`),
    ]
    stacks.set(name, Object.assign(stack, { template, status: `${verb}_COMPLETE` }))
  }
  /** Fails at the first new resource, and rolls back to the template before. */
  const fail = (stack: Stack, { template }: ChangeSet): void => {
    const logicalId = Object.keys(template.Resources).find((id) => !(id in stack.template.Resources)) ?? ''
    const type = template.Resources[logicalId]?.Type ?? ''
    stack.status = 'UPDATE_ROLLBACK_COMPLETE'
    stack.events = [
      event(stack.name, STACK, 'UPDATE_IN_PROGRESS'),
      { ...event(logicalId, type, 'CREATE_FAILED'), reason: 'The account refuses it' },
      event(stack.name, STACK, 'UPDATE_ROLLBACK_IN_PROGRESS'),
      event(stack.name, STACK, 'UPDATE_ROLLBACK_COMPLETE'),
    ]
  }
  const remove = (stack: Stack): void => {
    const resources = Object.entries(stack.template.Resources)
    stack.status = 'DELETE_COMPLETE'
    stack.events = [
      event(stack.name, STACK, 'DELETE_IN_PROGRESS'),
      ...resources.map(([id, { Type, DeletionPolicy = 'Delete' }]) =>
        event(id, Type, DeletionPolicy === 'Delete' ? 'DELETE_COMPLETE' : 'DELETE_SKIPPED'),
      ),
      event(stack.name, STACK, 'DELETE_COMPLETE'),
    ]
    stacks.delete(stack.name)
    removed.push(stack)
  }
  const physicalId = (logicalId: string, type: string): string =>
    type === 'AWS::S3::Bucket' ? services.bucket : logicalId

  const actions: Record<string, Action> = {
    DescribeStacks: (form) => `<Stacks>${member(describeStack(stackOf(form), services.outputOf))}</Stacks>`,
    ValidateTemplate: async (form) => {
      const findings = await services.validate(await textOf(form))
      if (findings.length > 0) throw new ValidationError(findings.join('; '))
      return ''
    },
    CreateChangeSet: async (form) => {
      const name = form.get('StackName') ?? ''
      const template = await templateOf(form)
      const isImport = form.get('ChangeSetType') === 'IMPORT'
      if (isImport) checkImport(stackOf(form).template, template, form)
      const verbOfDeployment = stacks.has(name) ? 'UPDATE' : 'CREATE'
      const verb = isImport ? 'IMPORT' : verbOfDeployment
      changeSets.set(name, { template, verb, rolledBackBy: rollbackAlarms(form) })
      return `<Id>${name}</Id>${tag('StackId', stacks.get(name)?.id ?? name)}`
    },
    DescribeChangeSet: (form) => {
      const name = form.get('StackName') ?? ''
      const id = stacks.get(name)?.id ?? name
      return `${tag('Status', 'CREATE_COMPLETE')}${tag('StackId', id)}${tag('StackName', name)}<Changes></Changes>`
    },
    ExecuteChangeSet: (form) => {
      const name = form.get('StackName') ?? ''
      const changeSet = changeSets.get(name)
      if (!changeSet) throw new ValidationError(`ChangeSet of ${name} does not exist`)
      const stack = stacks.get(name)
      // Removes the order to fail, so that the update after this one succeeds.
      const isToFail = stack !== undefined && failing.delete(name)
      if (isToFail) fail(stack, changeSet)
      else deploy(name, changeSet)
      return ''
    },
    DeleteStack: (form) => {
      remove(stackOf(form))
      return ''
    },
    DeleteChangeSet: () => '',
    GetTemplate: (form) => tag('TemplateBody', escaped(JSON.stringify(stackOf(form).template))),
    SetStackPolicy: () => '',
    ListExports: () => '<Exports></Exports>',
    DescribeStackEvents: (form) => {
      const { name, id, events } = stackOf(form)
      const members = events.toReversed().map((each) => member(describeEvent(each, name, id)))
      return `<StackEvents>${members.join('')}</StackEvents>`
    },
    DescribeStackResource: (form) => {
      const logicalId = form.get('LogicalResourceId') ?? ''
      const resource = stackOf(form).template.Resources[logicalId]
      if (!resource) throw new ValidationError(`Resource ${logicalId} does not exist`)
      return `<StackResourceDetail>${tag('PhysicalResourceId', physicalId(logicalId, resource.Type))}</StackResourceDetail>`
    },
    ListStackResources: (form) => {
      const members = Object.entries(stackOf(form).template.Resources).map(([logicalId, { Type }]) =>
        member(
          tag('LogicalResourceId', logicalId) +
            tag('PhysicalResourceId', physicalId(logicalId, Type)) +
            tag('ResourceType', Type),
        ),
      )
      return `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`
    },
  }
  return {
    stacks: stacks as ReadonlyMap<string, Stack>,
    /** Makes the next update of a stack fail and roll back. */
    failNext: (stackName: string) => failing.add(stackName),
    actions,
  }
}

/** Returns the alarms of a request's `RollbackConfiguration`; undefined for a request without one. */
function rollbackAlarms(form: URLSearchParams): string[] | undefined {
  const given = [...form].filter(([name]) => name.startsWith('RollbackConfiguration.RollbackTriggers'))
  return given.length === 0
    ? undefined
    : given.flatMap(([name, value]) => (name.endsWith('.Arn') ? [value] : []))
}

const STACK = 'AWS::CloudFormation::Stack'

const tag = (name: string, text: string): string => `<${name}>${text}</${name}>`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const member = (inner: string): string => tag('member', inner)

const event = (logicalId: string, type: string, status: string): StackEvent => ({
  id: randomUUID(),
  logicalId,
  type,
  status,
})

function describeStack({ id, name, status, template }: Stack, outputOf: OtherServices['outputOf']): string {
  const outputs = Object.keys(template.Outputs ?? {}).map((key) =>
    member(tag('OutputKey', key) + tag('OutputValue', outputOf(name, key))),
  )
  return `${tag('StackId', id)}${tag('StackName', name)}${tag('StackStatus', status)}${tag('Outputs', outputs.join(''))}`
}

const describeEvent = (
  { id, logicalId, type, status, reason }: StackEvent,
  name: string,
  stackId: string,
): string =>
  tag('EventId', id) +
  tag('StackId', stackId) +
  tag('StackName', name) +
  tag('LogicalResourceId', logicalId) +
  tag('ResourceType', type) +
  tag('ResourceStatus', status) +
  (reason === undefined ? '' : tag('ResourceStatusReason', reason)) +
  tag('Timestamp', new Date().toISOString())
