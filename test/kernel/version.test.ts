import { describe, expect, it } from 'vitest'
import { refuseStale } from '#lib/kernel/version'

describe('a change of a record', () => {
  it('is accepted of the version that its caller saw, of any of several, and without one', () => {
    expect(() => refuseStale(3, ['3'])).not.toThrow()
    expect(() => refuseStale('a', ['b', 'a'])).not.toThrow()
    expect(() => refuseStale(3, undefined)).not.toThrow()
  })

  it('is refused of an earlier version, with the present one', () => {
    for (const seen of [['2'], []])
      expect(() => refuseStale(3, seen)).toThrow(
        expect.objectContaining({ code: 'version_conflict', options: { version: 3 } }),
      )
  })
})
