import { readConfig } from './config.ts'
import { type Clock, MINUTE_SECONDS, secondsAfter } from './kernel/clock.ts'
import { DomainError } from './kernel/domain-error.ts'
import type { Variable } from './variables.ts'

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

/** Parses a secret's text as the variable it stands in for. */
export function parseAs<Name extends Variable>(variable: Name, text: string) {
  return readConfig([variable], { [variable]: text })[variable]
}

/** The time for which keys are remembered: that long after a change every running function uses the new ones. */
const LIFETIME_SECONDS = 5 * MINUTE_SECONDS

/**
 * Remembers what was read for five minutes, so that keys rotate under running functions. A failed reading leaves the
 * last values in use.
 */
export function remember<T>(read: () => Promise<T>, now: Clock): () => Promise<T> {
  let kept: { value: Promise<T>; endsAt: Date } | undefined
  return () => {
    if (kept && now() < kept.endsAt) return kept.value
    const last = kept?.value
    const value = read().catch((error: unknown) => {
      if (last) return last
      kept = undefined
      throw error
    })
    kept = { value, endsAt: secondsAfter(now(), LIFETIME_SECONDS) }
    return value
  }
}
