import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readArguments } from '#lib/deploy/arguments'
import type { Template } from '#lib/package/template/template'

const ROOT = join(import.meta.dirname, '../..')
/** AWS's limits. */
const [FUNCTION_NAME_MAX, ORIGIN_ACCESS_NAME_MAX] = [64, 64]
const LONGEST_REGION = 'ap-southeast-1'

const read = async (path: string) => parse(await readFile(join(ROOT, path), 'utf8'), { logLevel: 'silent' })

/** The names that templates give to what CloudFront holds once an account, for all regions. */
async function namesInCloudFront(): Promise<string[]> {
  const names: string[] = []
  for await (const path of glob('lib/*/*.yml', { cwd: ROOT })) {
    const { Resources = {} } = (await read(path)) as Template
    const text = JSON.stringify(
      Object.values(Resources).filter(({ Type }) => Type.startsWith('AWS::CloudFront::')),
    )
    names.push(
      ...[...text.matchAll(/"Name":"([^"]*\$\{AWS::StackName\}[^"]*)"/g)].map(([, name = '']) => name),
    )
  }
  return names
}

it('One account holds the same stage in two regions: what AWS names for all regions names its own.', async () => {
  const names = await namesInCloudFront()
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !name.includes('${AWS::Region}'))).toEqual([])
  const { Dashboard } = (await read('lib/deploy/dashboard.yml')).Resources
  expect(Dashboard.Properties.DashboardName).toBe('${AWS::StackName}-${AWS::Region}')
})

it('The longest stage still makes names that AWS takes.', async () => {
  const longest = 'a'.repeat(20)
  const { stackName } = readArguments(['--stage', longest], {})
  expect(() => readArguments(['--stage', `${longest}a`], {})).toThrow('at most 20')
  const functions = Object.keys((await read('serverless.yml')).functions)
  const lengths = functions.map((name) => `${stackName}-${name}`.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(FUNCTION_NAME_MAX)
  const names = (await namesInCloudFront()).map((name) =>
    name.replace('${AWS::StackName}', stackName).replace('${AWS::Region}', LONGEST_REGION),
  )
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(ORIGIN_ACCESS_NAME_MAX)
})
