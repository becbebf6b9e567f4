import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { readFunctions } from '../functions.ts'
import type { Statement } from '../grants.ts'
import { readPackagedRoles } from '../nested-templates.ts'
import { allows } from './policy.ts'
import { readRecordings } from './recording.ts'
import { pairsOf, requestsOf } from './requests.ts'
import { unneededReasonFaults, useFaults } from './use-faults.ts'

// `npm run policies`, after the whole of `npm test` and `npm run package`: compares what the stores of functions declare
// with what the functions sent in the tests, pair by pair. A pair is an action in a place, such as `USER put`. Checks that
// the packaged roles allow every request.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

type RoleProperties = { Policies: { PolicyDocument: { Statement: Statement[] } }[] }

// Silent, since the tags of CloudFormation, such as `!Ref`, would each be a warning.
const { functions: definitions } = parse(await readFile(`${ROOT}serverless.yml`, 'utf8'), {
  logLevel: 'silent',
}) as { functions: Record<string, { handler: string }> }
const functions = await readFunctions(ROOT, definitions)
const roles = await readPackagedRoles(`${ROOT}.serverless`)

// A recording names its function by the first route, or by the job's name.
const recordings = Map.groupBy(await readRecordings(), ({ by }) => by)
const proven = functions.map(({ name, spec, routes, uses, dependencies }) => {
  const recorded = recordings.get(spec.kind === 'job' ? spec.name : (routes[0] ?? '')) ?? []
  return {
    name,
    uses,
    dependencies: Object.values(dependencies),
    sent: new Set(recorded.flatMap(pairsOf)),
    requests: recorded.flatMap(requestsOf),
  }
})

/** Returns the statements of the role of a function: `roles` has it under the function's name in the template. */
const statementsOf = (name: string): Statement[] => {
  const role = roles[`${name[0]?.toUpperCase()}${name.slice(1)}LambdaFunction`]
  const properties = role?.Properties as RoleProperties | undefined
  return properties?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? []
}

const refused = proven.flatMap(({ name, requests }) => {
  const statements = statementsOf(name)
  return requests
    .filter((request) => !statements.some((statement) => allows(statement, request)))
    .map(
      ({ action, resource, leadingKeys }) =>
        `${name} may not ${action} on ${resource} (${leadingKeys ?? ''})`,
    )
})

const faults = [...proven.flatMap(useFaults), ...unneededReasonFaults(proven), ...refused]
for (const line of [...new Set(faults)].sort()) console.error(line)
const unrecorded = proven.filter((each) => each.sent.size === 0 && useFaults(each).length > 0)
if (unrecorded.length > 0) {
  console.error(`${unrecorded.length} functions are in no recording: run the whole of npm test before`)
}
const pairs = proven.reduce((sum, { sent }) => sum + sent.size, 0)
const distinct = new Set(Object.values(roles).map((role) => JSON.stringify(role))).size
console.log(`${pairs} pairs of ${functions.length} functions compared, in ${distinct} roles`)
process.exitCode = faults.length > 0 || pairs === 0 ? 1 : 0
