import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Returns the test that mirrors a path of `lib` or `functions`: the file of its name, else the nearest folder of tests. A
 * path under `test` mirrors itself. Undefined if there is none.
 */
export function mirroredTest(path: string): string | undefined {
  const inRoot = relative(ROOT, resolve(path))
  const [top, ...inside] = inRoot.split('/')
  if (top === 'test') return inRoot
  const mirrored = join('test', ...inside)
  const file = mirrored.replace(/(\.[\w-]+)?\.tsx?$/, '.test.ts')
  if (file !== mirrored && existsSync(join(ROOT, file))) return file
  for (let folder = mirrored; folder !== 'test'; folder = dirname(folder))
    if (existsSync(join(ROOT, folder))) return `${folder}/`
  return undefined
}
