import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readAhead } from '#lib/kernel/read-ahead'

describe('a read that begins ahead', () => {
  const failing = () => readAhead(Promise.reject(new Error('the table is away')))

  it('gives its result to whoever awaits it', async () => {
    expect(await readAhead(Promise.resolve('read'))).toBe('read')
  })

  it('gives its failure to whoever awaits it, however late', async () => {
    const read = failing()
    await setImmediate()
    await expect(read).rejects.toThrow('the table is away')
  })

  it('fails without an unhandled rejection where a refusal comes first', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    failing()
    await setImmediate()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
