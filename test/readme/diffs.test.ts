import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** A diff of the README: each file that it changes, and the lines that it shows of the file. */
async function shown(section: string): Promise<(readonly [string, string[]])[]> {
  const [, text = ''] = (await read('README.md')).split(`### ${section}\n`)
  const [, diff = ''] = /```diff\n(.*?)\n```/s.exec(text) ?? []
  return diff
    .split(/^--- .*\n\+\+\+ b\//m)
    .slice(1)
    .map((part) => {
      const [path = '', ...lines] = part.trimEnd().split('\n')
      return [path, lines.filter((line) => !line.startsWith('@@'))] as const
    })
}

/** Expects a file to have lines of a diff in their order, cut where the diff says `…`. */
async function expectIn(path: string, lines: readonly string[]): Promise<void> {
  let rest = await read(path)
  for (const shownLine of lines) {
    const line = shownLine.slice(1).replace(/….*$/, '')
    expect(rest, `${path} has, in this order: ${line}`).toContain(line)
    rest = rest.slice(rest.indexOf(line) + line.length)
  }
}

describe('a diff of the README', () => {
  it('that brings a payment provider in is of one line in the registry and one file, which have its lines', async () => {
    const files = await shown('Add a payment provider')
    expect(files.map(([path]) => path)).toEqual([
      'lib/providers/registry.ts',
      'lib/providers/adapters/wave.ts',
    ])
    for (const [path, lines] of files) await expectIn(path, lines)
  })

  it('that adds a field to listings fits the files, of which there are four at most', async () => {
    const files = await shown('Add a field to listings')
    expect(files.length).toBeLessThanOrEqual(4)
    for (const [path, lines] of files)
      await expectIn(
        path,
        lines.filter((line) => line.startsWith(' ')),
      )
  })
})
