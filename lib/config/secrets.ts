import { DomainError } from '#lib/kernel/domain-error'

/**
 * Reads a parameter of SSM. An empty one fails the request that needs it, and only the log names it. The client is loaded
 * here: a function with inline settings never pays for it.
 */
export async function readParameter(name: string): Promise<string> {
  const value = await (await import('./secrets.ssm.ts')).readParameter(name)
  if (value === undefined) throw new DomainError('internal', { cause: `The parameter ${name} is empty` })
  return value
}

/** Reads a secret's text. The client is loaded here: a function with inline settings never pays for it. */
export const readSecret = async (name: string): Promise<string> =>
  (await import('./secrets.secrets-manager.ts')).readSecret(name)
