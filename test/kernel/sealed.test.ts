import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSealedByNewest, seal, unseal } from '#lib/kernel/sealed'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const keys =
  (...given: Buffer[]) =>
  async () =>
    given
const owner = 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND'

describe('a sealed text', () => {
  it('opens for its owner, and is another text each time', async () => {
    const [one, two] = [await seal(keys(older), owner, 'JBSW'), await seal(keys(older), owner, 'JBSW')]
    expect(one).not.toBe(two)
    expect(one).not.toContain('JBSW')
    expect(await unseal(keys(older), owner, one)).toBe('JBSW')
  })

  it.each(['', 'a', 'JBSWY3DPEHPK3PXP', 'Émile 🏠', 'long '.repeat(50)])(
    'opens as it was: %j',
    async (text) => {
      expect(await unseal(keys(older), owner, await seal(keys(older), owner, text))).toBe(text)
    },
  )

  it('is not made without a key, and no text is then of the newest', async () => {
    await expect(seal(keys(), owner, 'JBSW')).rejects.toThrow('DATA_KEYS holds no key')
    expect(await isSealedByNewest(keys(), await seal(keys(older), owner, 'JBSW'))).toBe(false)
  })

  it('names its key by eight characters', async () => {
    expect(await seal(keys(older), owner, 'JBSW')).toMatch(/^[\w-]{8}\.[\w-]+$/)
  })

  it('does not open for another account, nor changed in any byte, nor cut short', async () => {
    const sealed = await seal(keys(older), owner, 'JBSWY3DPEHPK3PXP')
    const [mark = '', encoded = ''] = sealed.split('.')
    const bytes = Buffer.from(encoded, 'base64url')
    await expect(unseal(keys(older), 'usr_another', sealed)).rejects.toThrow()
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      await expect(unseal(keys(older), owner, `${mark}.${changed.toString('base64url')}`)).rejects.toThrow()
    }
    await expect(
      unseal(keys(older), owner, `${mark}.${bytes.subarray(0, -1).toString('base64url')}`),
    ).rejects.toThrow()
  })

  it('opens while its key is among the keys, and the newest key seals', async () => {
    const sealed = await seal(keys(older), owner, 'JBSW')
    expect(await unseal(keys(newer, older), owner, sealed)).toBe('JBSW')
    expect(await isSealedByNewest(keys(newer, older), sealed)).toBe(false)
    expect(await isSealedByNewest(keys(newer, older), await seal(keys(newer, older), owner, 'JBSW'))).toBe(
      true,
    )
    await expect(unseal(keys(newer), owner, sealed)).rejects.toThrow('no longer holds the key')
  })
})
