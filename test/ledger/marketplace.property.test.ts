import { expect, it } from 'vitest'
import { playDays } from '#test/support/marketplace-days'

/** `DAYS=1000` plays others, with another seed each time. */
const { DAYS } = process.env

it('Random days of a marketplace end with every currency at nothing, every statement adding up to its balance and every payout as its transfer', async () => {
  await expect(
    playDays(Number(DAYS ?? 50), DAYS === undefined ? 20261123 : undefined),
  ).resolves.toBeUndefined()
}, 600_000)
