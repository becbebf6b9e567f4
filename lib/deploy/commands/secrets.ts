import { readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { storeSecrets } from '../store-secrets.ts'

// `npm run secrets -- --stage <stage>`: makes every key of a stage and prints the commands that store them. With
// `--write` it stores the missing ones itself, and keeps those that are there.

await runCommand(async () => {
  const { stage, region, params, write } = readArguments(process.argv.slice(2), process.env)
  const values = accountValues(stage, readParameters(params))
  const unknown = await storeSecrets(awsIn(region).account, values, { region, write }, console.log)
  for (const { name, what } of unknown) console.error(`✗ ${name}: only you know ${what}`)
  return unknown.length === 0
})
