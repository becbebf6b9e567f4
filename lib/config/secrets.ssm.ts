import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'

/** Reads a parameter of SSM. */
export async function readParameter(name: string): Promise<string | undefined> {
  const command = new GetParameterCommand({ Name: name, WithDecryption: true })
  return (await new SSMClient({}).send(command)).Parameter?.Value
}
