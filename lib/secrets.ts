import { readConfig, type Variable } from './config.ts'
import { DomainError } from './kernel/domain-error.ts'

/**
 * A value that the environment holds inline or, in the cloud, names as a parameter. The parameter is read once, at
 * the first request that needs it. A wrong value fails that request, and only the log names it. The SSM client is
 * loaded only when there is a parameter to read.
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

/** Parses a secret's text as the variable it stands in for. */
export function parseAs<Name extends Variable>(variable: Name, text: string) {
  return readConfig([variable], { [variable]: text })[variable]
}

/** Remembers the first success of an asynchronous reading. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
