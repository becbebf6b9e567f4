import { type Parameters, parseParameters, readParameters } from '../package/parameters.ts'
import { accountValues } from './account-values.ts'
import type { StackArguments } from './arguments.ts'
import { type AwsFacts, examine, type Finding } from './doctor.ts'
import { type MergedParameters, mergeParameters, rememberedParameters } from './remembered-parameters.ts'

/** A release with its parameters, those of the last release among them, and what the account has and lacks for it. */
type ReleasePlan = MergedParameters & {
  remembered: Readonly<Record<string, string>>
  parameters: Parameters
  findings: Finding[]
}

/** Plans a release by its arguments. Changes nothing; throws for parameters that are wrong or do not go together. */
export async function planRelease(given: StackArguments, aws: AwsFacts): Promise<ReleasePlan> {
  // Refuses a mistyped parameter before AWS is called.
  parseParameters(given.params)
  // Without credentials no parameters are remembered; `examine` reports that the credentials are missing.
  const remembered = await aws.whoAmI().then(
    () => rememberedParameters(aws.account, given.stage),
    () => ({}),
  )
  const merged = mergeParameters(remembered, given)
  const parameters = readParameters(merged.params)
  const values = accountValues(given.stage, parameters)
  const findings = await examine(aws, values, given.stage, parameters)
  return { ...merged, remembered, parameters, findings }
}
