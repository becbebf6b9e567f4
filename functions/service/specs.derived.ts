/**
 * What the service says of itself, derived from every endpoint's spec. The build runs each export once and
 * puts its result in its place, so that no function carries all the others.
 */
import { readdir } from 'node:fs/promises'
import { describeApi } from '#lib/http/document/openapi'
import type { Route } from '#lib/http/route'
import { type FunctionModule, type HttpSpec, routesOfSpec } from '#lib/http/spec'

/** The OpenAPI 3.1 document. */
export const openApiDocument = async () => describeApi(await httpSpecs())

/** Every route there is. */
export const routes = async (): Promise<Route[]> => (await httpSpecs()).flatMap(routesOfSpec)

async function httpSpecs(): Promise<HttpSpec[]> {
  const folder = new URL('../', import.meta.url)
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => /(?<!\.derived)\.ts$/.test(file))
    .sort()
  const modules: FunctionModule[] = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return modules.flatMap(({ spec }) =>
    spec.kind === 'job' || (spec.kind === 'endpoint' && spec.route === '$default') ? [] : [spec],
  )
}
