import { readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { surroundingsIn } from '../clients.ts'
import { examine, type Finding } from '../doctor.ts'

// `npm run doctor -- --stage <stage>`: says what is missing before the stage can be deployed, and how to get it.

const line = ({ what, isThere, remedy }: Finding) => (isThere ? `✓ ${what}` : `✗ ${what}\n    ${remedy}`)

await runCommand(async () => {
  const { stage, region, params } = readArguments(process.argv.slice(2), process.env)
  const parameters = readParameters(params)
  const values = accountValues(stage, parameters)
  const isShared = parameters.concurrency === 'shared'
  const findings = await examine(surroundingsIn(region), values, isShared)
  for (const finding of findings) console.log(line(finding))
  return findings.every(({ isThere }) => isThere)
})
