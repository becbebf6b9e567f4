import type { Parameters } from '../package/parameters.ts'

/** The stack that a release would change. */
type Stack = {
  region: string
  /** Whether functions of an earlier release are there. */
  isRunning: boolean
  /** The parameters of the last release. */
  remembered: Readonly<Record<string, string>>
}

/** Throws where parameters do not fit the stack that they are given for, before anything is deployed. */
export function requireFitting({ kmsKey, ephemeral }: Parameters, stack: Stack): void {
  if (kmsKey !== undefined && !kmsKey.includes(`:kms:${stack.region}:`)) {
    throw new Error(
      `--param kmsKey: the key is not of ${stack.region}, where the table and the documents are`,
    )
  }
  if (ephemeral === 'on' && stack.isRunning && stack.remembered['ephemeral'] !== 'on') {
    throw new Error(
      '--param ephemeral: the stage holds data that is to stay; only a new stage can be ephemeral',
    )
  }
}
