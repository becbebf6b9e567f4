/**
 * Preloaded by the generators: both of them need TypeScript's compiler as a library, which TypeScript 7 does not offer
 * any more. One brings TypeScript 5 for itself; the other is given the same.
 */
import { registerHooks } from 'node:module'

const parentURL = new URL('../../../../node_modules/oazapfts/package.json', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL } : context),
})
