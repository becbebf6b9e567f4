import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandsOf, type StartedStack, startedStack } from '#test/support/started-stack'

let stack: StartedStack

beforeAll(async () => {
  stack = await startedStack(5_000 + (process.pid % 4_000), { demoData: false })
})

afterAll(() => stack?.stop())

describe('the README', () => {
  it('leads from registration to a deposit that is paid, and paid out, by its own commands as written', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
    const stdout = await stack.run(commandsOf(readme))
    expect(stdout.trim().split('\n')).toEqual(
      expect.arrayContaining([
        'PENDING_REVIEW',
        'PUBLISHED',
        'House by the lagoon',
        'PAID',
        'UNDER_OFFER',
        'SUCCEEDED',
      ]),
    )
    expect(stdout, 'the price drop, in French').toMatch(/430\s000/)
    expect(stdout.trim().split('\n').at(-1)).toBe('payout -450000 0, payment 450000 450000')
    expect(stdout).not.toContain('requestId')
  })
})
