import {
  CreateSecretCommand,
  DescribeSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { GetParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm'
import type { AccountValue } from './account-values.ts'

type AccountClients = { ssm: SSMClient; secrets: SecretsManagerClient }

/** The values that an account holds for a stage. */
export type Account = {
  /** Returns the value of a parameter, or the ARN of a secret, whose value is not read; undefined if it is missing. */
  read: (value: AccountValue) => Promise<string | undefined>
  /** Stores a value that is not there yet; never overwrites one. */
  create: (value: AccountValue, text: string) => Promise<void>
  /** Replaces the text of a parameter. Throws for a secret: it is one JSON of many keys, which its operator edits. */
  replace: (value: AccountValue, text: string) => Promise<void>
}

const MISSING = new Set(['ParameterNotFound', 'ResourceNotFoundException'])

/** Opens the values kept in SSM Parameter Store and Secrets Manager. */
export const openAccount = ({ ssm, secrets }: AccountClients): Account => ({
  read: ({ name, store }) =>
    (store === 'secret'
      ? secrets.send(new DescribeSecretCommand({ SecretId: name })).then(({ ARN }) => ARN)
      : ssm
          .send(new GetParameterCommand({ Name: name, WithDecryption: true }))
          .then(({ Parameter }) => Parameter?.Value)
    ).catch((error: Error) => {
      if (MISSING.has(error.name)) return undefined
      throw error
    }),
  create: async ({ name, store }, text) => {
    if (store === 'secret') await secrets.send(new CreateSecretCommand({ Name: name, SecretString: text }))
    else await ssm.send(new PutParameterCommand({ Name: name, Type: store, Value: text, Overwrite: false }))
  },
  replace: async ({ name, store }, text) => {
    if (store === 'secret') throw new Error(`${name} is a secret, which is changed as a whole`)
    await ssm.send(new PutParameterCommand({ Name: name, Type: store, Value: text, Overwrite: true }))
  },
})

/** Returns the command that stores a value by hand. */
export const storeCommand = ({ name, store }: AccountValue, text: string, region: string): string => {
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`
  return store === 'secret'
    ? `aws secretsmanager create-secret --region ${region} --name ${name} --secret-string ${quoted}`
    : `aws ssm put-parameter --region ${region} --name ${name} --type ${store} --value ${quoted}`
}
