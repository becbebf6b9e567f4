import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'

const ROOT = new URL('../../', import.meta.url)

/** A TypeScript file of ours, by its path from the root. */
export type SourceFile = {
  path: string
  text: string
  /** The text without comments and strings: what is left is code. */
  code: string
  imports: Import[]
}

/** `from` is a package's name, or a file of ours by its path from the root. */
export type Import = { from: string; isTypeOnly: boolean; isOurs: boolean }

/** Every TypeScript file under some folders, but those that tests generate. */
export async function sourceFiles(...folders: string[]): Promise<SourceFile[]> {
  const paths = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(new URL(`${folder}/`, ROOT), { recursive: true }))
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('/generated/'))
        .map((file) => `${folder}/${file}`),
    ),
  )
  return Promise.all(paths.flat().sort().map(readSource))
}

async function readSource(path: string): Promise<SourceFile> {
  const text = await readFile(new URL(path, ROOT), 'utf8')
  return { path, text, code: text.replace(COMMENT_OR_STRING, ''), imports: importsOf(path, text) }
}

const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/.*$|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm
const EXPRESSION = /\bimport\(\s*'([^']+)'\s*\)/g

function importsOf(path: string, text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, type, from = '']) => ({
    from,
    isTypeOnly: !!type,
  }))
  const expressions = [...text.matchAll(EXPRESSION)].map(([, from = '']) => ({ from, isTypeOnly: false }))
  return [...statements, ...expressions].map(({ from, isTypeOnly }) => ({
    isTypeOnly,
    ...resolve(path, from),
  }))
}

function resolve(path: string, from: string): Pick<Import, 'from' | 'isOurs'> {
  if (from.startsWith('#')) return { from: `${from.slice(1)}.ts`, isOurs: true }
  if (from.startsWith('.')) return { from: posix.join(posix.dirname(path), from), isOurs: true }
  return { from, isOurs: false }
}
