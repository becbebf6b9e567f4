import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openApiDocument } from '#functions/service/specs.derived'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const GENERATED = join(ROOT, 'lib/console/browser/generated')

// What the document says wrong, or no longer says, the console cannot compile.
it('the console compiles with the types of the OpenAPI document', { timeout: 120_000 }, async () => {
  const document = join(GENERATED, 'openapi.json')
  await mkdir(GENERATED, { recursive: true })
  await writeFile(document, JSON.stringify(await openApiDocument()))
  const preloaded = join(ROOT, 'test/http/document/clients/nested-typescript.ts')
  const cli = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
  await run(process.execPath, ['--import', preloaded, cli, document, '-o', join(GENERATED, 'api.ts')])
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [tsc, '-p', join(ROOT, 'lib/console/browser')]).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  )
  expect(compiled.stdout).toBe('')
})
