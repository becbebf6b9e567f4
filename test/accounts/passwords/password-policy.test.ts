import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refuseWeakPassword } from '#lib/accounts/passwords/password-policy'

const owner = { name: 'Awa Koné', email: 'awa@example.com' }
const isRefused = (password: string) =>
  refuseWeakPassword(password, 12, owner).then(
    () => false,
    () => true,
  )

describe('a password', () => {
  it.each([
    'P@ssword12345',
    'Admin@123456',
    'abcd1234abcd',
    'P@$$w0rd!2024',
    '@dmin1234567',
    'pass1234word5678',
    'Welcome2024!!',
    'letmein-letmein',
    'qwerty123456!',
    'zyxw9876zyxw',
    '123456789012',
    '2024aaa2024!',
    'Awa Koné2024',
  ])('that is a common one in another guise is refused: %s', async (password) => {
    expect(await isRefused(password)).toBe(true)
  })

  it.each([
    'a quiet harbour at dusk',
    'nine herons over the weir',
    'correct horse battery staple',
    'abandoned 7 lighthouses',
    'K7$mq2!vX9#p',
    '7x3948571634q9',
    '70a39b25c8164',
  ])('of words that nobody else chose together is accepted: %s', async (password) => {
    expect(await isRefused(password)).toBe(false)
  })

  it.each(['NFC', 'NFD'] as const)(
    'that is the name of its account is refused, also for a name in %s',
    async (form) => {
      const name = 'Aïssatou Coulibaly'.normalize(form)
      await expect(refuseWeakPassword(name, 12, { ...owner, name })).rejects.toMatchObject({
        code: 'weak_password',
      })
    },
  )

  it('made by chance is refused at most once in a thousand times', async () => {
    const random = Array.from({ length: 4_000 }, (_, index) =>
      createHash('sha256').update(`chance ${index}`).digest('base64url').slice(0, 16),
    )
    const refused = await Promise.all(random.map(isRefused))
    expect(refused.filter(Boolean).length).toBeLessThanOrEqual(4)
  })
})
