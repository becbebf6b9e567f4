import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** The README's diff: each file that it changes, and the file's lines after it, cut where the diff says `…`. */
async function shown(): Promise<(readonly [string, string[]])[]> {
  const [, diff = ''] = /```diff\n(.*?)\n```/s.exec(await read('README.md')) ?? []
  return diff
    .split(/^--- .*\n\+\+\+ b\//m)
    .slice(1)
    .map((part) => {
      const [path = '', , ...lines] = part.trimEnd().split('\n')
      return [path, lines.map((line) => line.slice(1).replace(/….*$/, ''))] as const
    })
}

describe('the diff that brings a payment provider in', () => {
  it('is of one line in the registry and one file, and stands there as the README shows it', async () => {
    const files = await shown()
    expect(files.map(([path]) => path)).toEqual([
      'lib/providers/registry.ts',
      'lib/providers/adapters/wave.ts',
    ])
    for (const [path, lines] of files) {
      let rest = await read(path)
      for (const line of lines) {
        expect(rest, `${path} has, in this order: ${line}`).toContain(line)
        rest = rest.slice(rest.indexOf(line) + line.length)
      }
    }
  })
})
