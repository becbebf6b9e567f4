import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSealedByNewest, seal, unseal } from '#lib/kernel/sealed'
import { openToken, sealToken } from '#lib/kernel/sealed-token'

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

describe('a sealed token', () => {
  it('opens for its purpose, is another one each time, and shows nothing of its text', async () => {
    const [one, two] = [
      await sealToken(keys(older), 'challenge', owner),
      await sealToken(keys(older), 'challenge', owner),
    ]
    expect(one).not.toBe(two)
    expect(Buffer.from(one.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(owner)
    expect(await openToken(keys(older), 'challenge', one)).toBe(owner)
    expect(await openToken(keys(newer, older), 'challenge', two)).toBe(owner)
  })

  it.each(['', 'a', 'ab'])(
    'has one spelling: unused bits of its last character are refused: %j',
    async (text) => {
      const token = await sealToken(keys(older), 'challenge', text)
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      const spellings = [...letters].map((letter) => token.slice(0, -1) + letter)
      const opened = await Promise.all(spellings.map((each) => openToken(keys(older), 'challenge', each)))
      expect(spellings.filter((_, index) => opened[index] !== undefined)).toEqual([token])
    },
  )

  it('for another purpose, of another key or changed in any way is none', async () => {
    const token = await sealToken(keys(older), 'challenge', owner)
    const opened = await Promise.all([
      openToken(keys(older), 'device-token', token),
      openToken(keys(newer), 'challenge', token),
      ...['', '.', 'nonsense', `${token}.A`, `${token}A`, `${token}=`, ` ${token}`, token.slice(0, 20)].map(
        (text) => openToken(keys(older), 'challenge', text),
      ),
      openToken(keys(older), 'challenge', await seal(keys(older), 'challenge', owner)),
    ])
    expect(opened.filter((text) => text !== undefined)).toEqual([])
  })
})
