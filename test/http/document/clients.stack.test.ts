import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '#functions/service/specs.derived'

const run = promisify(execFile)
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const PACKAGES = '../../../node_modules'
const GENERATED = './clients/generated'
const DOCUMENT = path(`${GENERATED}/openapi.json`)

const generate = (script: string, ...more: string[]) =>
  run(process.execPath, [
    '--import',
    path('./clients/nested-typescript.ts'),
    path(`${PACKAGES}/${script}`),
    DOCUMENT,
    ...more,
  ])

beforeAll(async () => {
  await mkdir(path(GENERATED), { recursive: true })
  await writeFile(DOCUMENT, JSON.stringify(await openApiDocument()))
  await Promise.all([
    generate('openapi-typescript/bin/cli.js', '-o', path(`${GENERATED}/api.ts`)),
    generate('oazapfts/dist/cli.js', path(`${GENERATED}/client.ts`), '--optimistic'),
  ])
}, 120_000)

describe('the document', () => {
  // The journeys hold what must not compile too: an unknown filter, a status that is none, a payment without a key.
  it('makes two clients, and the journeys of the README compile with both', {
    timeout: 120_000,
  }, async () => {
    const compiled = await run(process.execPath, [
      path(`${PACKAGES}/typescript/bin/tsc`),
      '-p',
      path('./clients/tsconfig.json'),
    ]).catch(({ stdout }: { stdout: string }) => ({ stdout }))
    expect(compiled.stdout).toBe('')
  })
})
