import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameCodeByContent } from '#lib/package/code-objects'
import { type DeployedFunction, readFunctions } from '#lib/package/functions'
import { bundleAll, packageFunctions } from '#lib/package/package'
import { copyService } from './packaged.ts'

const ROOT = join(import.meta.dirname, '../..')
/** One function as most are, one that serves built pages, and the one that is changed. */
const NAMES = ['login', 'consoleFile', 'health']
const HANDLERS = {
  login: { handler: 'functions/accounts/sessions/login.handler' },
  consoleFile: { handler: 'functions/service/console-file.handler' },
  health: { handler: 'functions/service/health.handler' },
}

let folder: string
let functions: DeployedFunction[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-same-'))
  functions = await readFunctions(ROOT, HANDLERS)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A copy of the service in a folder of its own, whose depth is that of the path. */
async function copied(path: string): Promise<string> {
  await mkdir(join(folder, path), { recursive: true })
  return copyService(join(folder, path))
}

/** The zips of these functions, packaged in this checkout, by their names. */
async function zipped(root: string, packed: readonly DeployedFunction[]): Promise<Record<string, Buffer>> {
  const zips = await packageFunctions({
    root,
    functions: packed,
    bundles: await bundleAll(root, packed),
    zips: join(root, '.serverless'),
    cpu: process.arch,
  })
  const read = Object.entries(zips).map(async ([name, path]) => [name, await readFile(path)] as const)
  return Object.fromEntries(await Promise.all(read))
}

describe('the zips of the same sources', () => {
  it('are the same bytes wherever the checkout lies, but for a function that was changed', async () => {
    const here = await zipped(await copied('here'), functions)
    const elsewhere = await copied('further/down/there')
    await appendFile(join(elsewhere, 'functions/service/health.ts'), "\nconsole.log('changed')\n")
    const there = await zipped(elsewhere, functions.toReversed())
    const changed = NAMES.filter((name) => !here[name]?.equals(there[name] ?? Buffer.alloc(0)))
    expect(changed).toEqual(['health'])
  })

  it('come from the bundles of the last packaging, until a source changes', async () => {
    const root = await copied('again')
    const health = functions.filter(({ name }) => name === 'health')
    const bundle = join(root, '.build/bundles/functions/service/health.cjs')
    const made = await bundleAll(root, health)
    await writeFile(bundle, 'of the last packaging')
    expect(await bundleAll(root, health)).toEqual(made)
    expect(await readFile(bundle, 'utf8')).toBe('of the last packaging')
    await appendFile(join(root, 'functions/service/health.ts'), "\nconsole.log('changed')\n")
    await bundleAll(root, health)
    expect(await readFile(bundle, 'utf8')).toContain('console.log("changed")')
  })
})

describe('a function’s code in the deployment bucket', () => {
  const keyOf = async (content: string, name = 'login') => {
    const zip = join(folder, 'some.zip')
    await writeFile(zip, content)
    const template = {
      Resources: {
        Login: {
          Type: 'AWS::Lambda::Function',
          Properties: { FunctionName: 'platform-api-dev-login', Code: { S3Key: 'today/login.zip' } },
        },
      },
    }
    await nameCodeByContent(template, {
      stackName: 'platform-api-dev',
      folder: 'code',
      zips: { [name]: zip },
    })
    return template.Resources.Login.Properties.Code.S3Key
  }

  it('has a key by its content, so that CloudFormation leaves unchanged functions alone', async () => {
    const key = await keyOf('bytes')
    expect(key).toMatch(/^code\/login-[0-9a-f]{64}\.zip$/)
    expect(await keyOf('bytes')).toBe(key)
    expect(await keyOf('other bytes')).not.toBe(key)
  })

  it('keeps the key that osls gave it where the function is not ours', async () => {
    expect(await keyOf('bytes', 'another')).toBe('today/login.zip')
  })
})
