import { readParameters } from '../../package/parameters.ts'
import { storeCommand } from '../account.ts'
import { type AccountValue, accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'

// `npm run secrets -- --stage <stage>`: makes every key of a stage and prints the commands that store them. With
// `--write` it stores the missing ones itself, and keeps those that are there.

const instructions = (value: AccountValue, text: string, region: string): string =>
  `# ${value.what}\n${storeCommand(value, text, region)}`

await runCommand(async () => {
  const { stage, region, params, write } = readArguments(process.argv.slice(2), process.env)
  const { account: storedValues } = awsIn(region)
  const known = new Map<string, string>()
  let isComplete = true
  for (const value of accountValues(stage, readParameters(params))) {
    const there = write ? await storedValues.read(value) : undefined
    const text = there ?? (await value.make?.(known))
    if (text === undefined) {
      isComplete = false
      console.error(`✗ ${value.name}: only you know ${value.what}`)
      continue
    }
    // Later values may be made from this one, whether it is new or was stored before.
    known.set(value.name, text)
    if (there !== undefined) console.log(`${value.name} is there`)
    else if (write) await storedValues.create(value, text).then(() => console.log(`${value.name} made`))
    else console.log(instructions(value, text, region))
  }
  return isComplete
})
