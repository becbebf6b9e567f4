import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Dependencies, Uses } from '#lib/config'
import { allCallbackDeps } from '#lib/http/callback'
import { allJobDeps } from '#lib/http/job'
import type { Route } from '#lib/http/route'
import { allDeps } from '#lib/http/serve'
import { type Changed, changedBy, type FunctionModule, routesOfSpec } from '#lib/http/spec'
import type { Variable } from '#lib/variables'
import type { Environment } from '../local/environment.ts'

/** A function as serverless.yml names it. */
export type DeployedFunction = {
  /** Its key in serverless.yml, such as `createListing`. */
  name: string
  /** Its file without the ending, such as `functions/listings/create-listing`. */
  file: string
  spec: FunctionModule['spec']
  /** The routes of a function; a job has an empty list. */
  routes: Route[]
  /** Every variable it reads, sorted. */
  variables: Variable[]
  /**
   * The uses that its dependencies declare, without changes that the function never makes, such as those of a `GET`.
   */
  uses: Uses
  dependencies: Dependencies
}

/** The file of a handler string: `functions/accounts/sessions/login` of `functions/accounts/sessions/login.handler`. */
export const fileOf = (handler: string): string => handler.replace(/\.[^./]*$/, '')

/** Loads every function, with the variables that its spec reads. */
export const readFunctions = (
  root: string,
  definitions: Readonly<Record<string, { handler: string }>>,
): Promise<DeployedFunction[]> =>
  Promise.all(
    Object.entries(definitions).map(async ([name, { handler }]) => {
      const file = fileOf(handler)
      const { spec }: FunctionModule = await import(pathToFileURL(join(root, `${file}.ts`)).href)
      const dependencies = dependenciesOf(spec)
      return {
        name,
        file,
        spec,
        routes: routesOfSpec(spec),
        variables: variablesOf(dependencies),
        uses: usesOf(dependencies, changedBy(spec)),
        dependencies,
      }
    }),
  )

/** Returns the variables that a function reads, and those of the AWS SDK. */
export const environmentFor = ({ variables }: DeployedFunction, environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name.startsWith('AWS_') || (variables as readonly string[]).includes(name),
    ),
  )

const dependenciesOf = (spec: FunctionModule['spec']): Dependencies => {
  if (spec.kind === 'job') return allJobDeps(spec)
  return spec.kind === 'callback' ? allCallbackDeps(spec) : allDeps(spec)
}

const variablesOf = (dependencies: Dependencies): Variable[] =>
  [...new Set(Object.values(dependencies).flatMap(({ reads }) => reads))].sort()

/** Returns the uses that dependencies declare, without the changes that the function does not make. */
function usesOf(dependencies: Dependencies, changes: readonly Changed[]): Uses {
  const used: Record<string, string[]> = {}
  for (const { uses = {} } of Object.values(dependencies)) {
    for (const [place, actions] of Object.entries(uses)) {
      const kept = actions.filter((action) => READS.includes(action) || changes.includes(changedIn(place)))
      if (kept.length > 0) used[place] = [...new Set([...(used[place] ?? []), ...kept])].sort()
    }
  }
  return used
}

const READS = ['get', 'query', 'list']

/** Returns what a change in a place changes: the name of a folder ends in `/`, the name of a partition does not. */
const changedIn = (place: string): Changed => (place.endsWith('/') ? 'objects' : 'records')
