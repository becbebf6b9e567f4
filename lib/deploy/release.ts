import type { StackArguments } from './arguments.ts'
import type { AwsFacts } from './doctor.ts'
import { requireFitting } from './fitting-parameters.ts'
import { planRelease } from './plan-release.ts'
import { REBUILD_SEARCH_ID } from './prepare-search.ts'
import { rememberParameters } from './remembered-parameters.ts'
import { originOf, smokeTest } from './smoke-test.ts'
import { hasFunctions, requireSameTable } from './stack-table.ts'

/**
 * CloudFormation rolls a deployment back when one of these alarms goes off during it. `Gateway5xx` is not among them:
 * it counts 502 and 503, which a provider or any caller can cause.
 */
const ROLLED_BACK_BY = /^(Errors|FailingJobs|Crashes|StreamAge)Alarm$/

export type ReleaseDeps = {
  aws: AwsFacts
  /** The physical ids of the deployed stack's resources by their logical ids; undefined for a new stack. */
  readResources: () => Promise<ReadonlyMap<string, string> | undefined>
  /** The outputs of the deployed stack by their names. */
  readOutputs: () => Promise<ReadonlyMap<string, string>>
  /** Runs osls (a fork of the Serverless Framework) with variables of its own. Throws when it fails. */
  serverless: (args: readonly string[], variables: Readonly<Record<string, string>>) => Promise<void>
  /** Makes the search's snapshot by the packaged code of a deployed function, see `prepare-search.ts`. */
  prepareSearch: (functionName: string) => Promise<void>
  fetch: typeof globalThis.fetch
  report: (line: string) => void
}

/**
 * Checks what must be there, packages and deploys with one stage, one region and one set of parameters, and calls what was
 * deployed. Returns sentences that say what is missing, before anything is made, or what did not answer.
 */
export async function release(given: StackArguments, deps: ReleaseDeps): Promise<string[]> {
  const { stage, region } = given
  const plan = await planRelease(given, deps.aws)
  const { parameters, params, merged, differences, remembered, findings } = plan
  deps.report(`Parameters: ${params.join(' ') || 'none'}`)
  for (const difference of differences) deps.report(`  ${difference}`)
  const missing = findings.filter(({ isThere }) => !isThere)
  if (missing.length > 0) return missing.map(({ what, remedy }) => `${what}\n    ${remedy}`)
  const deployed = await deps.readResources()
  requireSameTable(deployed, parameters.restoredTable)
  requireFitting(parameters, { region, isRunning: hasFunctions(deployed), remembered })
  const where = ['--stage', stage, '--region', region]
  await deps.serverless(['package', ...where, ...params.flatMap((each) => ['--param', each])], {})
  await makeNextSnapshot(deployed?.get(REBUILD_SEARCH_ID), deps)
  // `--force`: a key that changed in the account changes no artefact, and osls would deploy nothing.
  await deps.serverless(['deploy', '--force', '--package', '.serverless', ...where], {
    ROLLBACK_ALARMS: (await rollbackAlarms(given, deployed, deps.aws)).join(','),
  })
  await rememberParameters(deps.aws.account, stage, merged)
  const origin = originOf(await deps.readOutputs())
  const failures = await smokeTest({ origin, fetch: deps.fetch, attempts: 4, pauseMilliseconds: 5_000 })
  if (failures.length === 0) deps.report(`✓ ${origin} answers`)
  return failures
}

/**
 * Makes the snapshot of the new searches before they are deployed. Without the snapshot they answer 503 until the first run
 * of `snapshotSearch`, which is no reason to stop a release.
 */
async function makeNextSnapshot(
  functionName: string | undefined,
  { prepareSearch, report }: ReleaseDeps,
): Promise<void> {
  if (functionName === undefined) return
  await prepareSearch(functionName).catch((error: unknown) => {
    report(`The search has no snapshot yet, and may answer 503 for some minutes: ${error}`)
  })
}

/** Returns the ARNs of the stack's alarms that roll the deployment back. A new stack has none. */
async function rollbackAlarms(
  { region, rollback }: StackArguments,
  deployed: ReadonlyMap<string, string> | undefined,
  { whoAmI }: AwsFacts,
): Promise<string[]> {
  const alarms = rollback ? [...(deployed ?? [])].filter(([id]) => ROLLED_BACK_BY.test(id)) : []
  const accountId = await whoAmI()
  return alarms.map(([, name]) => `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`)
}
