import { dependency } from '#lib/config'
import { type HashPassword, hashPassword } from './password.ts'

/** The smallest number of characters in a new password. */
export const passwordMinLength = dependency(['PASSWORD_MIN_LENGTH'], (config) => config.PASSWORD_MIN_LENGTH)

/** The function's hash of new passwords. */
export const passwordHasher = dependency([], (): HashPassword => hashPassword)
