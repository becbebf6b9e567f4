import { DomainError } from '#lib/kernel/domain-error'

/**
 * Reads a parameter of SSM. An empty one fails the request that needs it, and only the log names it. The SDK is loaded
 * only here: a function with inline settings never pays for it.
 */
export async function readParameter(name: string): Promise<string> {
  const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm')
  const { Parameter } = await new SSMClient({}).send(
    new GetParameterCommand({ Name: name, WithDecryption: true }),
  )
  if (Parameter?.Value === undefined)
    throw new DomainError('internal', { cause: `The parameter ${name} is empty` })
  return Parameter.Value
}

/** Reads a secret's text. The SDK is loaded only here: a function with inline settings never pays for it. */
export async function readSecret(name: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager')
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: name }),
  )
  return SecretString ?? ''
}
