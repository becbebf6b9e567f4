import { dependency } from '#lib/config'

/** How many characters a new password has at least. */
export const passwordMinLength = dependency(['PASSWORD_MIN_LENGTH'], (config) => config.PASSWORD_MIN_LENGTH)
