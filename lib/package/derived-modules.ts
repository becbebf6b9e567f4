import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Runs each export of a `*.derived.ts` module once, here and now, and puts what it answers in its place: a
 * function ships the result and nothing of what it was made from.
 */
export const derivedModules: Plugin = {
  name: 'derived-modules',
  setup: (build) => {
    build.onLoad({ filter: /\.derived\.ts$/ }, async ({ path }) => {
      const derive: Record<string, () => Promise<unknown>> = await import(pathToFileURL(path).href)
      const exported = await Promise.all(
        Object.entries(derive).map(
          async ([name, make]) => `export const ${name} = async () => (${JSON.stringify(await make())})`,
        ),
      )
      return { contents: exported.join('\n'), loader: 'js' }
    })
  },
}
