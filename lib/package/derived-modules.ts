import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Runs each exported function of a `*.derived.ts` module once while packaging, and puts one that returns the result in
 * its place. The result is shipped without its sources.
 */
export const derivedModules: Plugin = {
  name: 'derived-modules',
  setup: (build) => {
    build.onLoad({ filter: /\.derived\.ts$/ }, async ({ path }) => {
      const derive: Record<string, () => unknown> = await import(pathToFileURL(path).href)
      const exported = await Promise.all(
        Object.entries(derive).map(async ([name, make]) => {
          const made = make()
          const modifier = made instanceof Promise ? 'async ' : ''
          return `export const ${name} = ${modifier}() => (${JSON.stringify(await made)})`
        }),
      )
      return { contents: exported.join('\n'), loader: 'js' }
    })
  },
}
