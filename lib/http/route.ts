/** A route as `serverless.yml`, the specs and the tests all spell it: `PATCH /listings/{id}/moderate`. */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}` | '$default'

/** The names of a route's path parameters. */
export type PathParameter<R> = R extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** Splits a route into its two halves. */
export function splitRoute(route: Route): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ')
  return { method, path }
}

/** Returns the routes that match a path, with any method. */
export const routesOf = (path: string, routes: readonly Route[]): Route[] =>
  routes.filter((route) => patternOf(splitRoute(route).path).test(path))

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`)
