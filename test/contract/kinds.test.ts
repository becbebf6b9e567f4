import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sourceFiles } from '#test/support/source-files'

type Entry = { events?: { stream?: { filterPatterns?: Pattern[] } }[] }
type Pattern = { dynamodb?: { NewImage?: { kind?: { S: string[] } } } }

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

  it('that a filter of the stream names has a kind that is written', async () => {
    const yaml = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
    const { functions } = parse(yaml, { logLevel: 'silent' }) as { functions: Record<string, Entry> }
    const filtered = Object.values(functions)
      .flatMap(({ events = [] }) => events.flatMap(({ stream }) => stream?.filterPatterns ?? []))
      .flatMap(({ dynamodb }) => dynamodb?.NewImage?.kind?.S ?? [])
    expect(filtered.length).toBeGreaterThan(0)
    expect(filtered.filter((kind) => !homes.has(kind))).toEqual([])
  })
})
