import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Template } from '../../package/template/template.ts'

/** What the stand-in of CloudFormation needs around it. */
export type Neighbours = {
  /** The text of an object that a template's address names. */
  readTemplate: (address: string) => Promise<string>
  /** Whether SSM holds a parameter of the type String. */
  hasParameter: (name: string) => boolean
  hasObject: (bucket: string, key: string) => Promise<boolean>
  /** The bucket that stands for every one that a stack makes. */
  bucket: string
}

type Stack = { id: string; name: string; status: string; template: Template; events: StackEvent[] }
type ChangeSet = { template: Template; verb: 'CREATE' | 'UPDATE' | 'IMPORT' }
type StackEvent = { id: string; logicalId: string; type: string; status: string }
type Action = (form: URLSearchParams) => Promise<string> | string

/** A refusal as CloudFormation words it. */
export class ValidationError extends Error {}

/**
 * Stands at CloudFormation's place: takes templates, checks that their parameters, artefacts and references exist,
 * and reports every resource as created. `stacks` says what there is.
 */
export function cloudFormation(neighbours: Neighbours) {
  const stacks = new Map<string, Stack>()
  const changeSets = new Map<string, ChangeSet>()

  const templateOf = async (form: URLSearchParams): Promise<Template> => {
    const address = form.get('TemplateURL')
    const text = address === null ? form.get('TemplateBody') : await neighbours.readTemplate(address)
    const template = JSON.parse(text ?? '') as Template
    await check(template, neighbours)
    return template
  }
  const stackOf = (form: URLSearchParams): Stack => {
    const asked = form.get('StackName') ?? ''
    const stack = [...stacks.values()].find(({ id, name }) => id === asked || name === asked)
    if (!stack) throw new ValidationError(`Stack with id ${asked} does not exist`)
    return stack
  }
  const deploy = (name: string, { template, verb }: ChangeSet): Stack => {
    const id = `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/${randomUUID()}`
    const stack = stacks.get(name) ?? { id, name, status: '', template, events: [] }
    const resources = Object.entries(template.Resources)
    const made = resources.map(([logicalId, { Type }]) => event(logicalId, Type, `${verb}_COMPLETE`))
    stack.events = [
      event(name, 'AWS::CloudFormation::Stack', `${verb}_IN_PROGRESS`),
      ...made,
      event(name, 'AWS::CloudFormation::Stack', `${verb}_COMPLETE`),
    ]
    stacks.set(name, Object.assign(stack, { template, status: `${verb}_COMPLETE` }))
    return stack
  }
  const physicalId = (logicalId: string, type: string): string =>
    type === 'AWS::S3::Bucket' ? neighbours.bucket : logicalId

  const actions: Record<string, Action> = {
    DescribeStacks: (form) => `<Stacks>${member(describeStack(stackOf(form)))}</Stacks>`,
    ValidateTemplate: async (form) => templateOf(form).then(() => ''),
    CreateChangeSet: async (form) => {
      const name = form.get('StackName') ?? ''
      const template = await templateOf(form)
      const isImport = form.get('ChangeSetType') === 'IMPORT'
      if (isImport) checkImport(stackOf(form).template, template, form)
      const verb = isImport ? 'IMPORT' : stacks.has(name) ? 'UPDATE' : 'CREATE'
      changeSets.set(name, { template, verb })
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
      deploy(name, changeSet)
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
  return { stacks: stacks as ReadonlyMap<string, Stack>, actions }
}

const tag = (name: string, text: string): string => `<${name}>${text}</${name}>`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const member = (inner: string): string => tag('member', inner)

const event = (logicalId: string, type: string, status: string): StackEvent => ({
  id: randomUUID(),
  logicalId,
  type,
  status,
})

const describeStack = ({ id, name, status }: Stack): string =>
  `${tag('StackId', id)}${tag('StackName', name)}${tag('StackStatus', status)}<Outputs></Outputs>`

const describeEvent = ({ id, logicalId, type, status }: StackEvent, name: string, stackId: string): string =>
  tag('EventId', id) +
  tag('StackId', stackId) +
  tag('StackName', name) +
  tag('LogicalResourceId', logicalId) +
  tag('ResourceType', type) +
  tag('ResourceStatus', status) +
  tag('Timestamp', new Date().toISOString())

/** What CloudFormation would refuse before it makes anything, as far as this machine can tell. */
async function check({ Resources, Parameters = {} }: Template, neighbours: Neighbours): Promise<void> {
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
function checkImport(before: Template, after: Template, form: URLSearchParams): void {
  const named = form.get('ResourcesToImport.member.1.LogicalResourceId') ?? ''
  const { [named]: added, ...others } = after.Resources
  if (added?.DeletionPolicy === undefined || named in before.Resources)
    throw new ValidationError(`${named} cannot be imported`)
  if (!isDeepStrictEqual({ ...after, Resources: others }, before))
    throw new ValidationError('You have modified resources in your template that are not being imported')
}
