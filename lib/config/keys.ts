import { type Clock, systemClock } from '#lib/kernel/clock'
import { remember } from '#lib/kernel/remember'
import { type Config, dependency, readConfig } from './config.ts'
import { readParameter } from './secrets.ts'

type KeyName = 'AUTH_SIGNING_KEYS' | 'DATA_KEYS' | 'HMAC_KEYS'
type KeyConfig<Name extends KeyName> = Config<Name | `${Name}_PARAMETER`>

/** Opens keys: inline ones, or those of a parameter, which is read at their first use and every five minutes. */
export const openKeys = <Name extends KeyName>(name: Name, config: KeyConfig<Name>, now: Clock) =>
  remember(async () => {
    if (config[name]) return config[name]
    // The configuration holds one of the two.
    const text = await readParameter(config[`${name}_PARAMETER`] ?? '')
    const keys = readConfig([name], { [name]: text })[name]
    if (keys === undefined) throw new Error(`${name} holds no key`)
    return keys
  }, now).current

const keysOf = <Name extends 'DATA_KEYS' | 'HMAC_KEYS'>(name: Name) =>
  dependency([name, `${name}_PARAMETER`], (config): (() => Promise<readonly Buffer[]>) =>
    openKeys(name, config, systemClock),
  )

/** The data keys, as a dependency of functions. */
export const dataKeys = keysOf('DATA_KEYS')

/** The HMAC keys, as a dependency of functions. */
export const hmacKeys = keysOf('HMAC_KEYS')
