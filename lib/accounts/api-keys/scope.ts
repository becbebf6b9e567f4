import * as z from 'zod'

/** What an agent's API key may do. A `write` includes its `read`. */
export const ApiKeyScope = z
  .enum(['listings:read', 'listings:write', 'enquiries:read', 'enquiries:write', 'payments:read'])
  .meta({ id: 'ApiKeyScope' })
export type ApiKeyScope = z.infer<typeof ApiKeyScope>

/** The scopes that would do where one is needed: its `write` beside a `read`. */
export const scopesThatDo = (scope: ApiKeyScope): ApiKeyScope[] => {
  const write = scope.replace(/:read$/, ':write')
  return ApiKeyScope.options.filter((each) => each === scope || each === write)
}
