import * as z from 'zod'
import { readParameters } from '../../package/parameters.ts'
import { storeCommand } from '../account.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { ROTATED, rotate, STEPS } from '../rotation.ts'

// `npm run rotate -- <step> <key> --stage <stage>`: takes one step of a key's rotation, in the order of the operator's
// book, and prints the commands that store the new values. `--write` stores them itself.

const Words = z.tuple([z.enum(STEPS), z.enum(ROTATED)])

await runCommand(async () => {
  const [step, key, ...rest] = process.argv.slice(2)
  const words = Words.safeParse([step, key])
  if (!words.success)
    throw new Error(`Say which step and which key: ${STEPS.join(', ')}, then ${ROTATED.join(', ')}`)
  const { stage, region, params, write } = readArguments(rest, process.env)
  const { account: awsAccount } = awsIn(region)
  const expectedValues = accountValues(stage, readParameters(params))
  for (const [value, newText] of await rotate(...words.data, expectedValues, awsAccount.read)) {
    if (write) await awsAccount.replace(value, newText).then(() => console.log(`${value.name} changed`))
    else console.log(`# ${value.what}\n${storeCommand(value, newText, region)} --overwrite`)
  }
  // The command succeeded.
  return true
})
