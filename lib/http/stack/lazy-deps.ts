import { type Dependencies, inLambda, type Resolved, readConfig } from '#lib/config'

/**
 * Makes dependencies at the first call and keeps them for the life of the function; `overrides` replaces some by name.
 * In Lambda their variables are checked at once: a missing or wrong variable stops the cold start with its name.
 */
export function lazyDeps<D extends Dependencies>(
  declared: D,
  overrides: Record<string, unknown>,
): () => Resolved<D> {
  const wanted = Object.entries(declared).filter(([name]) => !(name in overrides))
  if (inLambda()) {
    readConfig(wanted.flatMap(([, { reads }]) => reads))
    for (const [, { check }] of wanted) check?.()
  }
  let made: Resolved<D> | undefined
  return () => {
    made ??= {
      ...Object.fromEntries(wanted.map(([name, { make }]) => [name, make()])),
      ...overrides,
    } as Resolved<D>
    return made
  }
}
