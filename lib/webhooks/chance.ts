import { dependency } from '#lib/config'

/** Spreads attempts that failed together: a number from 0 to 1. */
export const chance = dependency([], () => () => Math.random())
