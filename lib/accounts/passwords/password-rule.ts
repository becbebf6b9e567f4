/** The reasons for refusing a password, in addition to its length, as the problem spells them. */
export const WEAKNESSES = {
  common: 'is among the common and leaked ones',
  own: "must not be the account's own name or e-mail",
} as const

/** Why a password is refused. */
type Weakness = keyof typeof WEAKNESSES | 'length'

/** Returns why a password was refused, by the message of the problem. */
export function weaknessIn(message: string | undefined): Weakness {
  if (message === WEAKNESSES.common) return 'common'
  return message === WEAKNESSES.own ? 'own' : 'length'
}

/** The largest number of characters in a password. */
export const PASSWORD_MAX_LENGTH = 128
