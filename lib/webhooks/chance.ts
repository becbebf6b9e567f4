import { dependency } from '#lib/config'

/** A random number from 0 to 1, which spreads attempts that failed together. */
export const chance = dependency([], () => () => Math.random())
