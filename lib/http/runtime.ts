import { dependency } from '#lib/config/config'
import { systemClock } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { systemSleep } from '#lib/kernel/retry'

/** The configuration of every function that answers HTTP. */
export const settings = dependency(
  ['PUBLIC_URL', 'CORS_ORIGINS', 'LOG_LEVEL', 'ORIGIN_SECRETS', 'STAGE'],
  (config) => config,
)

/** The values of `settings`. */
export type Settings = ReturnType<typeof settings.make>

/** The machine's clock, as a dependency that a test replaces. */
export const clock = dependency([], () => systemClock)

/** New identifiers, as a dependency that a test replaces. */
export const ids = dependency([], () => newId)

/** The machine's timer, as a dependency that a test replaces. */
export const timer = dependency([], () => systemSleep)
