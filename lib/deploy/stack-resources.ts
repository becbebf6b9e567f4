import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation'

/** Reads the physical ids of a deployed stack's resources by their logical ids; undefined for a stack that is not there. */
export async function stackResources(
  client: CloudFormationClient,
  StackName: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const resources = new Map<string, string>()
  try {
    for await (const page of paginateListStackResources({ client }, { StackName })) {
      for (const resource of page.StackResourceSummaries ?? []) {
        const { LogicalResourceId = '', PhysicalResourceId = '', ResourceStatus } = resource
        if (ResourceStatus !== 'DELETE_COMPLETE') resources.set(LogicalResourceId, PhysicalResourceId)
      }
    }
  } catch (error) {
    if (/does not exist/.test(`${error}`)) return undefined
    throw error
  }
  return resources
}

/** Reads the outputs of a deployed stack by their names. */
export async function stackOutputs(
  client: CloudFormationClient,
  StackName: string,
): Promise<ReadonlyMap<string, string>> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  return new Map(stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]))
}
