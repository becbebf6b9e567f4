import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Dependencies, Uses } from '#lib/config/config'
import type { Variable } from '#lib/config/variables'
import { allCallbackDeps } from '#lib/http/callback'
import { allJobDeps } from '#lib/http/job'
import type { Route } from '#lib/http/route'
import { allDeps } from '#lib/http/serve'
import { type FunctionModule, routesOfSpec } from '#lib/http/spec'
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
  /** What its dependencies declare, by place. */
  uses: Uses
}

/** Returns the file of a handler string: `functions/accounts/sessions/login` of `functions/accounts/sessions/login.handler`. */
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
        uses: usesOf(dependencies),
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

function usesOf(dependencies: Dependencies): Uses {
  const used: Record<string, string[]> = {}
  for (const { uses = {} } of Object.values(dependencies)) {
    for (const [place, actions] of Object.entries(uses)) {
      used[place] = [...new Set([...(used[place] ?? []), ...actions])].sort()
    }
  }
  return used
}
