import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '#functions/service/specs.derived'
import { routesOfSpec } from '#lib/http/spec'
import { type FunctionFile, functionFiles } from '#test/support/function-modules'

type Entry = { handler: string; reservedConcurrency?: number; events?: Record<string, unknown>[] }

let files: FunctionFile[]
let entries: Record<string, Entry>
let yaml: string

beforeAll(async () => {
  files = await functionFiles()
  yaml = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  entries = (parse(yaml, { logLevel: 'silent' }) as { functions: Record<string, Entry> }).functions
})

/** A file named `get-agent-profile.ts` is the function `getAgentProfile`. */
const keyOf = (file: string): string =>
  basename(file, '.ts').replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())

const handlerOf = (file: string): string => file.replace(/\.ts$/, '.handler')

/** The routes as serverless.yml spells them: its word for the catch-all is `*`. */
const routesIn = ({ module: { spec } }: FunctionFile): string[] =>
  routesOfSpec(spec).map((route) => (route === '$default' ? '*' : route))

const routesOfEntry = ({ events = [] }: Entry): unknown[] =>
  events.flatMap((event) => ('httpApi' in event ? [event['httpApi']] : []))

/** The line of serverless.yml that a file calls for. */
function lineFor(file: FunctionFile): string {
  const events = routesIn(file).map((route) => `{ httpApi: '${route}' }`)
  return `  ${keyOf(file.file)}: { handler: ${handlerOf(file.file)}, events: [${events.join(', ')}] }`
}

describe('every function of functions/', () => {
  it('has its entry in serverless.yml, named as the file, with the very routes of its spec', () => {
    const wrong = files.filter((file) => {
      const entry = entries[keyOf(file.file)]
      const routes = JSON.stringify(entry && routesOfEntry(entry))
      return entry?.handler !== handlerOf(file.file) || routes !== JSON.stringify(routesIn(file))
    })
    const lines = wrong.map(lineFor).join('\n')
    expect(
      wrong.map(({ file }) => file),
      `Paste into serverless.yml, under functions:\n${lines}\n`,
    ).toEqual([])
  })

  it('spells its routes there as it does itself, so that a search finds both', () => {
    const missing = files.flatMap(routesIn).filter((route) => !yaml.includes(`httpApi: '${route}'`))
    expect(missing).toEqual([])
  })

  it('a job is named as its file, and started by something in serverless.yml', () => {
    for (const { file, module } of files) {
      if (module.spec.kind !== 'job') continue
      expect(module.spec.name).toBe(keyOf(file))
      expect(entries[keyOf(file)]?.events?.length, `${file} is never started`).toBeGreaterThan(0)
    }
  })

  it('has a route that no other has', () => {
    const routes = files.flatMap(routesIn)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it('exports a spec and a handler, and nothing else', () => {
    const others = files.filter(({ module }) => Object.keys(module).sort().join() !== 'handler,spec')
    expect(others.map(({ file }) => file)).toEqual([])
  })
})

describe('every entry of serverless.yml', () => {
  it('has its file under functions/', () => {
    const known = files.map(({ file }) => keyOf(file))
    expect(Object.keys(entries).filter((key) => !known.includes(key))).toEqual([])
  })

  it('takes one line, unless it needs what the others do not', () => {
    const long = Object.entries(entries).filter(
      ([key, { handler, events = [], ...more }]) =>
        Object.keys(more).length === 0 &&
        events.every((event) => 'httpApi' in event) &&
        !new RegExp(`^  ${key}: \\{.*\\}$`, 'm').test(yaml),
    )
    expect(long.map(([key]) => key)).toEqual([])
  })
})

it('Every function that reads files of a form has a concurrency of its own.', () => {
  const reading = files.filter(({ module: { spec } }) => spec.kind === 'endpoint' && spec.input?.files)
  const names = reading.map(({ file }) => keyOf(file))
  expect(names).toContain('uploadKycDocument')
  expect(names.filter((name) => !entries[name]?.reservedConcurrency)).toEqual([])
})

describe('every route', () => {
  it('is an operation of the OpenAPI document, and every operation is a route', async () => {
    const { paths } = (await openApiDocument()) as { paths: Record<string, Record<string, unknown>> }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = files.flatMap(routesIn).filter((route) => route !== '*')
    expect(operations.sort()).toEqual(routes.sort())
  })

  it('is one that the gateway takes: whole segments, names in camelCase, nothing at the end', () => {
    const SHAPE = /^(GET|POST|PUT|PATCH|DELETE)( \/|(\/([a-z0-9.-]+|\{[a-z][A-Za-z]*\})))+$/
    const routes = files.flatMap(routesIn).filter((route) => route !== '*')
    expect(routes.filter((route) => !SHAPE.test(route.replace(' /', '/')))).toEqual([])
  })
})
