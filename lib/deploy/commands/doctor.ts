import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import type { Finding } from '../doctor.ts'
import { planRelease } from '../plan-release.ts'

// `npm run doctor -- --stage <stage>`: says what is missing before the stage can be deployed, and how to get it.

const line = ({ what, isThere, remedy }: Finding) => (isThere ? `✓ ${what}` : `✗ ${what}\n    ${remedy}`)

await runCommand(async () => {
  const given = readArguments(process.argv.slice(2), process.env)
  const { findings } = await planRelease(given, awsIn(given.region))
  for (const finding of findings) console.log(line(finding))
  return findings.every(({ isThere }) => isThere)
})
