import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { beginAhead } from '#lib/kernel/begin-ahead'

describe('work that begins ahead', () => {
  const failing = () => beginAhead(Promise.reject(new Error('the table is away')))

  it('gives its result to whoever awaits it', async () => {
    expect(await beginAhead(Promise.resolve('done'))).toBe('done')
  })

  it('gives its failure to whoever awaits it, however late', async () => {
    const work = failing()
    await setImmediate()
    await expect(work).rejects.toThrow('the table is away')
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
