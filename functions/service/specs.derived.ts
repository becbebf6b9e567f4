/**
 * The API document and the routes, derived from every endpoint's spec. The build runs each export once and replaces it by
 * its result, so that no function's bundle contains the others.
 */
import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { PROBLEM_MEMBERS } from '#lib/docs/problem-members'
import { EVENTS, WEBHOOK_EVENTS } from '#lib/events/event-types'
import { type DescribedFunction, describeApi } from '#lib/http/document/openapi'
import type { Route } from '#lib/http/route'
import { type FunctionModule, routesOfSpec } from '#lib/http/spec'

/** Returns the OpenAPI 3.1 document. */
export const openApiDocument = async () =>
  describeApi(await httpFunctions(), { listed: EVENTS, sent: WEBHOOK_EVENTS }, PROBLEM_MEMBERS)

/** Returns the routes of all HTTP functions. */
export const routes = async (): Promise<Route[]> =>
  (await httpFunctions()).flatMap(({ spec }) => routesOfSpec(spec))

/** Read once: the files of a running process do not change. */
let read: Promise<DescribedFunction[]> | undefined

/** Returns every HTTP function except the one for unknown routes. */
function httpFunctions(): Promise<DescribedFunction[]> {
  read ??= readFunctions()
  return read
}

async function readFunctions(): Promise<DescribedFunction[]> {
  const folder = new URL('../', import.meta.url)
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => /(?<!\.derived)\.ts$/.test(file))
    .sort()
  const described = await Promise.all(
    files.map(async (file) => {
      const { spec }: FunctionModule = await import(new URL(file, folder).href)
      if (spec.kind === 'job' || (spec.kind === 'endpoint' && spec.route === '$default')) return []
      return [{ name: nameOf(file), noun: file.split('/', 1)[0] ?? '', spec }]
    }),
  )
  return described.flat()
}

/** A file named `get-agent-profile.ts` is the function `getAgentProfile`. */
const nameOf = (file: string): string =>
  basename(file, '.ts').replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
