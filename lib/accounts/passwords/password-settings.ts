import { dependency } from '#lib/config/config'
import { type HashPassword, hashPassword } from './password.ts'

/** The smallest number of characters in a new password. */
export const passwordMinLength = dependency(['PASSWORD_MIN_LENGTH'], (config) => config.PASSWORD_MIN_LENGTH)

/** The hashing of new passwords, as a dependency that a test replaces. */
export const passwordHasher = dependency([], (): HashPassword => hashPassword)
