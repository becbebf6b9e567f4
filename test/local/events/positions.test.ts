import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPositions } from '#lib/local/events/positions'

it('A position is kept after one could not be written.', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'positions-'))
  const directory = join(parent, 'data')
  const place = { job: 'dispatchChanges', stream: 'table', shard: '1' }
  const positions = await openPositions(directory)
  await expect(positions.set(place, '1')).rejects.toThrow('ENOENT')
  await mkdir(directory)
  await positions.set(place, '2')
  expect((await openPositions(directory)).get(place)).toBe('2')
  await rm(parent, { recursive: true })
})
