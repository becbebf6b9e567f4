import * as z from 'zod'

/** The permissions of an agent's API key. A `write` includes its `read`. */
export const ApiKeyScope = z
  .enum(['listings:read', 'listings:write', 'enquiries:read', 'enquiries:write', 'payments:read'])
  .meta({ id: 'ApiKeyScope' })
export type ApiKeyScope = z.infer<typeof ApiKeyScope>

/** Returns the scopes that allow a request: a `write` scope includes its `read`. */
export const scopesAllowing = (scope: ApiKeyScope): ApiKeyScope[] => {
  const write = scope.replace(/:read$/, ':write')
  return ApiKeyScope.options.filter((each) => each === scope || each === write)
}
