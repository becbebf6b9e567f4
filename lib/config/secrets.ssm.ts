import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { DomainError } from '#lib/kernel/domain-error'

/** Reads a parameter of SSM. An empty one fails the request that needs it, and only the log names it. */
export async function readParameter(name: string): Promise<string> {
  const { Parameter } = await new SSMClient({}).send(
    new GetParameterCommand({ Name: name, WithDecryption: true }),
  )
  if (Parameter?.Value === undefined)
    throw new DomainError('internal', { cause: `The parameter ${name} is empty` })
  return Parameter.Value
}
