/**
 * The keys of configuration that each provider cannot do without, derived from its `config`. The build runs this once
 * and ships its result, so that a cold start checks eighteen configurations and loads no provider.
 */
import { readdir } from 'node:fs/promises'
import type { NeededKey, ProviderDefinition } from './provider.ts'

/** The required keys by provider. */
export const providerNeeds = (): Record<string, NeededKey[]> => NEEDS

const FOLDER = new URL('./adapters/', import.meta.url)

const NEEDS = Object.fromEntries(
  await Promise.all(
    (await readdir(FOLDER)).sort().map(async (file) => {
      const { provider }: { provider: ProviderDefinition } = await import(new URL(file, FOLDER).href)
      return [file.replace(/\.ts$/, ''), requiredKeys(provider)]
    }),
  ),
)

/** Returns the keys whose schema refuses undefined, and those that the provider names as `needs`. */
function requiredKeys({ config, needs = [] }: ProviderDefinition): NeededKey[] {
  const keys = Object.entries(config.shape).flatMap(([key, schema]) =>
    schema.safeParse(undefined).success ? [] : [{ key }],
  )
  return [...keys, ...needs]
}
