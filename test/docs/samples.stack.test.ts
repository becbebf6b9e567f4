import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '#functions/service/specs.derived'
import { readDocument } from '#lib/docs/document'
import { readGuides } from '#lib/docs/guide-list'
import { type Operation, operationsOf } from '#lib/docs/operations'
import { samplesOf as samplesOfCall } from '#lib/docs/samples'
import { typescriptOf } from '#test/support/guide-program'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

let directory: string
let operations: Operation[]
let document: Awaited<ReturnType<typeof openApiDocument>>

beforeAll(async () => {
  await mkdir(join(ROOT, '.build'), { recursive: true })
  directory = await mkdtemp(join(ROOT, '.build/samples-'))
  document = await openApiDocument()
  operations = operationsOf(readDocument(document))
})

afterAll(() => rm(directory, { recursive: true }))

const samplesOf = (id: string) => {
  const samples = operations.find((operation) => operation.id === id)?.samples
  if (!samples) throw new Error(`There is no ${id}`)
  return samples
}

describe('the samples of operations and guides', () => {
  it('send a JSON body, a token and what is demanded besides', () => {
    expect(samplesOf('createPayment').curl).toMatch(
      /^curl --request POST 'http:\/\/localhost:3000\/payments' \\\n {2}--header "Authorization: Bearer \$TOKEN" \\\n {2}--header 'Idempotency-Key: [\w-]+' \\\n {2}--header 'Content-Type: application\/json' \\\n {2}--data '\{/,
    )
    expect(samplesOf('searchListings')).toEqual({
      curl: "curl 'http://localhost:3000/listings'",
      typescript: "// No token is needed.\nconst { data, error } = await api.GET('/listings')",
    })
  })

  it('keep the double quotes of a text with an apostrophe, and give the texts around it single ones', () => {
    const example = { title: "It's new", text: 'Quiet', note: '5" of rain', end: 'No' }
    const { typescript } = samplesOfCall({
      method: 'POST',
      path: '/notes',
      schemas: {},
      operation: {
        ...{ operationId: 'addNote', summary: 'Add a note', description: '', tags: ['notes'] },
        ...{ parameters: [], responses: {}, security: [{}] },
        requestBody: { content: { 'application/json': { schema: {}, example } } },
      },
    })
    expect(typescript).toContain(
      `{\n    title: "It's new",\n    text: 'Quiet',\n    note: "5\\" of rain",\n    end: 'No'\n  }`,
    )
  })

  it('send files as a form', () => {
    const { curl, typescript } = samplesOf('uploadMedia')
    expect(curl).toContain("--form 'file=@photo.jpg'")
    expect(typescript).toContain("form.append('file', file)")
  })

  it('are words of a shell, all of them', async () => {
    const script = operations.map(({ samples }) => samples?.curl).join('\n')
    await run('sh', ['-n', '-c', script])
    expect(script.match(/^curl /gm)).toHaveLength(operations.length)
  })

  it('compile in TypeScript with a client that is typed from the document', {
    timeout: 120_000,
  }, async () => {
    const described = join(directory, 'openapi.json')
    await writeFile(described, JSON.stringify(document))
    const preloaded = join(ROOT, 'test/http/document/clients/nested-typescript.ts')
    const cli = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
    const types = join(directory, 'platform-api.ts')
    await run(process.execPath, ['--import', preloaded, cli, described, '-o', types])
    const bodies = operations.map(
      ({ id, samples }) => `export async function ${id}() {\n${samples?.typescript}\n}`,
    )
    const program = `import createClient from 'openapi-fetch'
import type { paths } from './platform-api.ts'
const token = ''
const file = new Blob([])
const api = createClient<paths>({ baseUrl: 'http://localhost:3000', headers: { Authorization: \`Bearer \${token}\` } })
${bodies.join('\n')}
`
    await writeFile(join(directory, 'samples.ts'), program)
    await writeFile(join(directory, 'guides.ts'), typescriptOf(readGuides()))
    const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'nodenext', '--skipLibCheck']
    const flags = [...options, '--allowImportingTsExtensions', '--ignoreConfig', '--types', 'node']
    const compiled = await run(
      join(ROOT, 'node_modules/.bin/tsc'),
      [...flags, join(directory, 'samples.ts'), join(directory, 'guides.ts')],
      {
        cwd: ROOT,
      },
    ).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(compiled.slice(0, 3_000)).toBe('')
  })
})
