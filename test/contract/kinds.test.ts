import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sourceFiles } from '#test/support/source-files'

type Entry = { events?: { changes?: Changes }[] }
type Changes = { inserted?: string[]; modified?: string[]; removed?: string[] }

/** The home of an item: the only file that writes its kind. The outbox is part of every noun's transaction. */
const HOME = /\.dynamo\.ts$|^lib\/events\/event\.ts$/

let homes: Map<string, string[]>
let strays: string[]

beforeAll(async () => {
  const files = (await sourceFiles('lib')).filter(({ path }) => !/^lib\/(local|package|deploy)\//.test(path))
  homes = new Map()
  for (const { path, text } of files.filter(({ path }) => HOME.test(path))) {
    for (const [, kind = ''] of text.matchAll(/\bkind: '([a-z-]+)'/g)) {
      homes.set(kind, [...(homes.get(kind) ?? []), path])
    }
  }
  strays = files
    .filter(({ path, text }) => !HOME.test(path) && !path.startsWith('lib/dynamo/') && /\bput: \{/.test(text))
    .map(({ path }) => path)
})

describe('an item of the table', () => {
  it('is written only in its home, <item>.dynamo.ts, beside what reads it', () => {
    expect(strays).toEqual([])
  })

  it('has one home for its kind', () => {
    expect([...homes].filter(([, paths]) => new Set(paths).size > 1)).toEqual([])
  })

  it('an item that a function follows has a kind that is written', async () => {
    const yaml = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
    const { functions } = parse(yaml, { logLevel: 'silent' }) as { functions: Record<string, Entry> }
    const followed = Object.values(functions)
      .flatMap(({ events = [] }) => events.flatMap(({ changes }) => (changes ? [changes] : [])))
      .flatMap(({ inserted = [], modified = [], removed = [] }) => [...inserted, ...modified, ...removed])
    expect(followed.length).toBeGreaterThan(0)
    expect(followed.filter((kind) => !homes.has(kind))).toEqual([])
  })
})
