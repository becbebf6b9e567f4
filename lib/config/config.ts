import type * as z from 'zod'
import { ALTERNATIVES, VARIABLES, type Variable } from './variables.ts'

/** The parsed values of the named variables. */
export type Config<Name extends Variable> = {
  readonly [Key in Name]: z.output<ReturnType<(typeof VARIABLES)[Key]>>
}

/**
 * Reads and parses the named variables from the environment.
 * Throws an error that names every missing or wrong one; their values are not repeated.
 */
export function readConfig<Name extends Variable>(
  names: readonly Name[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config<Name> {
  const values: Partial<Record<Variable, unknown>> = {}
  const faults: string[] = []
  for (const variable of names) {
    // An empty variable counts as a missing one.
    const given = environment[variable] || undefined
    const parsed = parse(variable, given)
    if (parsed.success) values[variable] = parsed.data
    else faults.push(`${variable} ${given === undefined ? 'is missing' : 'is not valid'}`)
  }
  faults.push(...missingPairs(names, values))
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  return values as Config<Name>
}

const known = new Map<string, z.ZodSafeParseResult<unknown>>()

/** Parses each text once, though several dependencies read the variable: parsing all again costs a cold start 3 ms. */
function parse(variable: Variable, given: string | undefined): z.ZodSafeParseResult<unknown> {
  const text = `${variable}=${given ?? ''}`
  const parsed = known.get(text) ?? VARIABLES[variable]().safeParse(given)
  known.set(text, parsed)
  return parsed
}

/** Returns a fault for each pair of alternatives that a function reads and that has no value at all. */
function missingPairs(names: readonly Variable[], values: Partial<Record<Variable, unknown>>): string[] {
  return ALTERNATIVES.filter((pair) =>
    pair.every((name) => names.includes(name) && values[name] === undefined),
  ).map(([inline, elsewhere]) => `${inline} or ${elsewhere} is missing`)
}

/** Whether this process serves a stage; a build packages for every stage. */
export const hasStage = (): boolean => process.env['STAGE'] !== undefined

/** Whether this process is a Lambda function, where configuration is checked at the cold start. */
export const inLambda = (): boolean => process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined

/** The credentials of the function's role, which Lambda always puts into the environment. */
export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

export function credentials(): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing')
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}

/**
 * What a client of AWS would otherwise look for in files too, which a Lambda function does not have: that costs the first
 * request 2 ms.
 */
export function awsSettings() {
  const { AWS_REGION, AWS_SDK_UA_APP_ID, AWS_USE_DUALSTACK_ENDPOINT, AWS_USE_FIPS_ENDPOINT } = process.env
  return {
    ...(AWS_REGION && { region: AWS_REGION }),
    ignoreConfiguredEndpointUrls: !Object.keys(process.env).some((name) =>
      name.startsWith('AWS_ENDPOINT_URL'),
    ),
    useDualstackEndpoint: AWS_USE_DUALSTACK_ENDPOINT === 'true',
    useFipsEndpoint: AWS_USE_FIPS_ENDPOINT === 'true',
    userAgentAppId: AWS_SDK_UA_APP_ID ?? '',
  }
}

/** Something that an endpoint needs. It is made at the first request, from the variables that `reads` names. */
export type Dependency<T> = {
  readonly reads: readonly Variable[]
  readonly make: () => T
  /** Throws with the name of a variable that is wrong. In Lambda that stops the cold start. */
  readonly check?: () => void
  /** Its actions on the table, the buckets and other services: the function's role allows these. */
  readonly uses?: Uses
}

/**
 * Actions by place: a partition of the table, a folder of a bucket, or a name of `custom.grants` in serverless.yml. A
 * function's role allows no others.
 */
export type Uses = Readonly<Record<string, readonly string[]>>

/** Declares a dependency: the variables it reads, how it is made, and a check that a schema cannot express. */
export const dependency = <const Name extends Variable, T>(
  reads: readonly Name[],
  make: (config: Config<Name>) => T,
  check?: (config: Config<Name>) => void,
): Dependency<T> => ({
  reads,
  make: () => make(readConfig(reads)),
  ...(check && { check: () => check(readConfig(reads)) }),
})

export type Dependencies = Record<string, Dependency<unknown>>

/** The resolved form of a record of dependencies. */
export type Resolved<D> = { [Name in keyof D]: D[Name] extends Dependency<infer T> ? T : never }

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
