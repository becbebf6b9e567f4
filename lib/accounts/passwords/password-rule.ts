/** Why a password is refused, beside its length: what its problem says. */
export const WEAKNESSES = {
  common: 'is among the common and leaked ones',
  own: "must not be the account's own name or e-mail",
} as const

/** Why a password is refused. */
export type Weakness = keyof typeof WEAKNESSES | 'length'

/** Reads why a password was refused from what its problem says. */
export function weaknessIn(message: string | undefined): Weakness {
  if (message === WEAKNESSES.common) return 'common'
  return message === WEAKNESSES.own ? 'own' : 'length'
}

/** How many characters a password has at most. */
export const PASSWORD_MAX_LENGTH = 128
