import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

/** Reads a secret's text. */
export async function readSecret(name: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: name }),
  )
  return SecretString ?? ''
}
