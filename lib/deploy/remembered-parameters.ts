import * as z from 'zod'
import { parameterEntries, parseParameters } from '../package/parameters.ts'
import type { Account } from './account.ts'
import type { AccountValue } from './account-values.ts'
import { SERVICE, type StackArguments } from './arguments.ts'

const Remembered = z.record(z.string(), z.string())
type Remembered = z.infer<typeof Remembered>

/** Returns the SSM parameter that holds the `--param` options of a stage's last release. */
const memoryOf = (stage: string): AccountValue => ({
  name: `/${SERVICE}/${stage}/release-parameters`,
  store: 'String',
  what: 'the --param options of the last release',
  // A release writes it: no command makes it before.
  make: undefined,
})

/** Reads the `--param` options that a stage was released with last. */
export const rememberedParameters = async (account: Account, stage: string): Promise<Remembered> =>
  Remembered.parse(JSON.parse((await account.read(memoryOf(stage))) ?? '{}'))

/** Keeps the options of a release for the next one. */
export const rememberParameters = (account: Account, stage: string, parameters: Remembered): Promise<void> =>
  account.replace(memoryOf(stage), JSON.stringify(parameters))

export type MergedParameters = {
  /** The options of the release by name. */
  merged: Remembered
  /** These options as `--param` takes them: `name=value`. */
  params: string[]
  /** What differs from the last release, as lines to print. */
  differences: string[]
}

/**
 * Returns the options of a release: the remembered ones without the dropped ones, then the given ones, which win.
 * Throws for a dropped one that is not remembered, or that is given too.
 */
export function mergeParameters(
  remembered: Remembered,
  { params: given, drop }: Pick<StackArguments, 'params' | 'drop'>,
): MergedParameters {
  // Only to throw for an unknown or wrong parameter.
  parseParameters(given)
  const chosen = parameterEntries(given)
  for (const name of drop) {
    if (!(name in remembered)) throw new Error(`--drop ${name}: the last release had no such parameter`)
    if (name in chosen) throw new Error(`--drop ${name}: it is given too`)
  }
  const kept = Object.entries(remembered).filter(([name]) => !drop.includes(name))
  const merged = { ...Object.fromEntries(kept), ...chosen }
  const changed = Object.entries(merged).filter(([name, value]) => remembered[name] !== value)
  return {
    merged,
    params: Object.entries(merged).map(([name, value]) => `${name}=${value}`),
    differences: [
      ...drop.map((name) => `- ${name}=${remembered[name]}`),
      ...changed.map(([name, value]) =>
        name in remembered ? `~ ${name}=${value} (was ${remembered[name]})` : `+ ${name}=${value}`,
      ),
    ],
  }
}
