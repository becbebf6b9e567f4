import { describe, it } from 'vitest'
import { playLives, STYLES } from '#test/support/payment-lives'

/** `npm run bench -- lives` plays twenty thousand others, with another seed each time. */
const { LIVES } = process.env
const EACH = Math.ceil(Number(LIVES ?? 300) / Object.keys(STYLES).length)
const SEED = LIVES === undefined ? 20261121 : undefined

describe('a payment, whatever its provider does and wherever our functions die', () => {
  it.each(Object.entries(STYLES))(
    'ends as its provider knows it, or needs someone, where the provider %s',
    async (_, style) => {
      await playLives(style, EACH, SEED)
    },
    600_000,
  )
})
