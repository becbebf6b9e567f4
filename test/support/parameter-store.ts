import {
  CreateSecretCommand,
  DescribeSecretCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { vi } from 'vitest'

/** What an account keeps in Parameter Store, and the names of its secrets. */
export type StoredValues = { parameters: Map<string, { Value: string; Type: string }>; secrets: Set<string> }

/** Answers what clients of SSM and Secrets Manager send from memory, until the test's file restores all mocks. */
export function memoryParameterStore(): StoredValues {
  const parameters: StoredValues['parameters'] = new Map()
  const secrets: StoredValues['secrets'] = new Set()
  vi.spyOn(SSMClient.prototype, 'send').mockImplementation(async (command) => {
    if (command instanceof GetParameterCommand) {
      const parameter = parameters.get(command.input.Name ?? '')
      if (!parameter) throw new ParameterNotFound({ $metadata: {}, message: `${command.input.Name}` })
      return { Parameter: parameter }
    }
    if (!(command instanceof PutParameterCommand)) throw new Error(`Not known: ${command.constructor.name}`)
    const { Name = '', Value = '', Type = '', Overwrite } = command.input
    if (parameters.has(Name) && !Overwrite) throw new Error(`${Name} is there already`)
    parameters.set(Name, { Value, Type })
    return {}
  })
  vi.spyOn(SecretsManagerClient.prototype, 'send').mockImplementation(async (command) => {
    if (command instanceof CreateSecretCommand) return void secrets.add(command.input.Name ?? '')
    if (!(command instanceof DescribeSecretCommand)) throw new Error(`Not known: ${command.constructor.name}`)
    const { SecretId = '' } = command.input
    if (!secrets.has(SecretId)) throw new ResourceNotFoundException({ $metadata: {}, message: SecretId })
    return { ARN: SecretId }
  })
  return { parameters, secrets }
}
