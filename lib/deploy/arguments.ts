import { parseArgs } from 'node:util'

export type StackArguments = {
  stage: string
  region: string
  /** The stack's name in CloudFormation, which begins the name of every function and queue. */
  stackName: string
  /** The parameters, as `--param name=value` gave them. */
  params: string[]
  /** The parameters of the last release that no longer hold, as `--drop name` gave them. */
  drop: string[]
  /** Whether `--write` was given: without it the command only reads. */
  write: boolean
  /** Whether the stack's own alarms roll the release back; `--no-rollback` leaves them out. */
  rollback: boolean
}

export const SERVICE = 'platform-api'
const DEFAULT_REGION = 'eu-west-1'
/** Lambda takes 64 characters for a function's name, of which the longest of ours takes 25. */
const STAGE = /^[a-z][a-z0-9-]{0,19}$/

/** Reads the arguments of a command. Throws an error whose message names what is missing: no stage is assumed. */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): StackArguments {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      stage: { type: 'string' },
      region: { type: 'string' },
      param: { type: 'string', multiple: true },
      drop: { type: 'string', multiple: true },
      write: { type: 'boolean', default: false },
      rollback: { type: 'boolean', default: true },
    },
  })
  const { stage, region = environment['AWS_REGION'] ?? DEFAULT_REGION, param = [], drop = [] } = values
  if (stage === undefined) throw new Error('Say which stage: --stage <name>')
  if (!STAGE.test(stage))
    throw new Error(`--stage ${stage} is not valid: at most 20 lower-case letters, digits and hyphens`)
  const { write, rollback } = values
  const stackName = `${SERVICE}-${stage}`
  return { stage, region, stackName, params: param, drop, write, rollback }
}

/** Runs a command, which returns whether it succeeded; sets the exit code 1 otherwise. Prints only the message of an error. */
export async function runCommand(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : `${error}`)
    process.exitCode = 1
  }
}
