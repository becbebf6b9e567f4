import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Runs each export of a `*.derived.ts` module once while packaging, and puts the result in its place: a function ships
 * the result without its sources. A function that is
 * not asynchronous stays so.
 */
export const derivedModules: Plugin = {
  name: 'derived-modules',
  setup: (build) => {
    build.onLoad({ filter: /\.derived\.ts$/ }, async ({ path }) => {
      const derive: Record<string, () => unknown> = await import(pathToFileURL(path).href)
      const exported = await Promise.all(
        Object.entries(derive).map(async ([name, make]) => {
          const made = make()
          const answers = made instanceof Promise ? 'async ' : ''
          return `export const ${name} = ${answers}() => (${JSON.stringify(await made)})`
        }),
      )
      return { contents: exported.join('\n'), loader: 'js' }
    })
  },
}
