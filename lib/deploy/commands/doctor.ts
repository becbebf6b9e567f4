import { parseParameters, readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { examine, type Finding } from '../doctor.ts'
import { mergeParameters, rememberedParameters } from '../remembered-parameters.ts'

// `npm run doctor -- --stage <stage>`: says what is missing before the stage can be deployed, and how to get it.

const line = ({ what, isThere, remedy }: Finding) => (isThere ? `✓ ${what}` : `✗ ${what}\n    ${remedy}`)

await runCommand(async () => {
  const given = readArguments(process.argv.slice(2), process.env)
  // Refuses a mistyped parameter before AWS is called.
  parseParameters(given.params)
  const { stage, region } = given
  const aws = awsIn(region)
  const { account: storedValues, whoAmI } = aws
  // Without credentials no parameters are remembered; `examine` reports that the credentials are missing.
  const remembered = await whoAmI().then(
    () => rememberedParameters(storedValues, stage),
    () => ({}),
  )
  const parameters = readParameters(mergeParameters(remembered, given).params)
  const values = accountValues(stage, parameters)
  const findings = await examine(aws, values, stage, parameters)
  for (const finding of findings) console.log(line(finding))
  return findings.every(({ isThere }) => isThere)
})
