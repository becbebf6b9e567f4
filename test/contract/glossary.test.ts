import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from '#test/support/source-files'

type Export = { path: string; name: string; isType: boolean }

const EXPORT = /^export (?:async )?(?:(type|class|interface)|const|function\*?|let) (\w+)/gm

/** Tools of this machine and pages of a browser have words of their own. */
const OTHER_SPEECH = /^lib\/(local|package|deploy|console|docs)\//

let exported: Export[]
let banned: string[]

beforeAll(async () => {
  const files = (await sourceFiles('lib', 'functions')).filter(({ path }) => !OTHER_SPEECH.test(path))
  exported = files.flatMap(exportsOf)
  const glossary = await readFile(new URL('../../GLOSSARY.md', import.meta.url), 'utf8')
  const rows = glossary.matchAll(/^\| \*\*.*\| (.*) \|$/gm)
  banned = [...rows].flatMap(([, instead = '']) => instead.split(', ').filter((word) => /^\w+$/.test(word)))
})

describe('an exported name', () => {
  it('holds no word that the glossary replaces', () => {
    expect(banned).toContain('told')
    const broken = exported.filter(({ name }) => wordsOf(name).some((word) => banned.includes(word)))
    expect(broken.map(({ path, name }) => `${path} exports ${name}`)).toEqual([])
  })

  it('a name of a type means one thing', () => {
    const types = Map.groupBy(
      exported.filter(({ isType }) => isType),
      ({ name }) => name,
    )
    const twice = [...types].filter(([, places]) => places.length > 1)
    const unlike = twice.filter(([name]) => !ONE_IDEA.includes(name))
    expect(unlike.map(([name, places]) => [name, ...places.map(({ path }) => path)].join(' '))).toEqual([])
    expect(ONE_IDEA.filter((name) => !twice.some(([known]) => known === name))).toEqual([])
  })
})

/** Names that lib/http and the port of providers give to the same idea: neither may know the other. */
const ONE_IDEA = ['CallbackAnswer', 'CallbackRequest']

const exportsOf = ({ path, text }: SourceFile): Export[] =>
  [...text.matchAll(EXPORT)].map(([, type, name = '']) => ({ path, name, isType: type !== undefined }))

/** `toldOf` and `STILL_TOLD` hold the word `told`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
