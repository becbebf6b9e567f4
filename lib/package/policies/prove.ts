import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { routesOfSpec } from '#lib/http/spec'
import { arnOf, type Statement } from '../grants.ts'
import { readPackagedRoles } from '../nested-templates.ts'
import { allows } from './policy.ts'
import { readRecordings } from './recording.ts'
import { requestsOf } from './requests.ts'

// `npm run policies`, after `npm test` and `npm run package`: holds the packaged roles to everything that the functions
// sent in the tests. Each request must be allowed, and each allowed change or read of objects must have been sent.

const ROOT = new URL('../../../', import.meta.url)

type RoleProperties = { Policies: { PolicyDocument: { Statement: Statement[] } }[] }

/** Functions with an access that no test makes through the function's own stack, with the reason. */
const EXPLAINED: Readonly<Record<string, string>> = {
  repeatErasures: 'erases again what followAccounts erases, where something was left',
  reportEnquiry:
    'moves the entry of an enquiry whose later report has the earlier time, by a clock that is behind',
  refundPayment: 'moves a payment as paymentCallback does: what else changes depends on what it is for',
  closeLedger: 'stores the balances of a day that has passed, as the books do in its tests',
  followPayees: 'cancels payouts as cancelPayout does, once an agent is no longer verified',
  putPayoutAccount: 'cancels payouts that are not sent yet, as cancelPayout does',
  removeSecondFactor: 'announces a removal, which its tests do without its own stack',
  addPasskey: 'takes an announced removal off its list where the change makes it pointless',
  confirmTotp: 'takes an announced removal off its list where the change makes it pointless',
  getFacets: 'loads the copy of the search as searchListings does, in whose tests it is loaded',
  getMap: 'loads the copy of the search as searchListings does, in whose tests it is loaded',
  listPlaces: 'loads the copy of the search as searchListings does, in whose tests it is loaded',
  getStatement: 'stores a file only beyond 5 MB',
  listLedger: 'stores a file only beyond 5 MB',
  resolveRefund: 'moves a payment as paymentCallback does: what else changes depends on what it is for',
}

const roles = await readPackagedRoles(fileURLToPath(new URL('.serverless', ROOT)))

const nameOf = await functionNames()
const recordings = (await readRecordings()).flatMap((sent) => {
  const name = nameOf.get(sent.by)
  return name === undefined ? [] : requestsOf(sent).map((request) => ({ name, request }))
})

const statementsOf = (name: string): Statement[] => {
  const role = roles[`${name[0]?.toUpperCase()}${name.slice(1)}LambdaFunction`]
  const properties = role?.Properties as RoleProperties | undefined
  const statements = properties?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? []
  // Lambda itself puts there, with the function's role, what the function gave up on.
  return statements.filter(({ Resource }) => !arnOf([Resource].flat()[0]).startsWith('{FailuresBucket'))
}

const refused = recordings
  .filter(({ name, request }) => !statementsOf(name).some((statement) => allows(statement, request)))
  .map(
    ({ name, request }) =>
      `${name} may not ${request.action} on ${request.resource} (${request.leadingKeys})`,
  )

const CHANGES = /^(dynamodb:(Put|Update|Delete|BatchWrite)Item|s3:(Put|Delete)Object)$/
const READ = 's3:GetObject'

/** Each way in which a function may change records or objects is one in which it did change some. */
const unchanged = [...new Set(nameOf.values())].flatMap((name) => {
  const actions = statementsOf(name).flatMap(({ Action }) => Action)
  const used = new Set(recordings.filter((sent) => sent.name === name).map(({ request }) => request.action))
  return [...new Set(actions)]
    .filter((action) => CHANGES.test(action) && !used.has(action))
    .map((action) => `${name} never uses ${action}`)
})

/** Each folder whose objects a function may read is one from which it did read some. */
const unread = [...new Set(nameOf.values())].flatMap((name) => {
  const reads = recordings.filter((sent) => sent.name === name && sent.request.action === READ)
  return statementsOf(name)
    .filter(({ Action }) => Action.includes(READ))
    .flatMap((statement) => [statement.Resource].flat().map((Resource) => ({ ...statement, Resource })))
    .filter((statement) => !reads.some(({ request }) => allows(statement, request)))
    .map(({ Resource }) => `${name} never uses ${READ} on ${arnOf(Resource)}`)
})

const unused = [...unchanged, ...unread]
const unexplained = unused.filter((line) => !Object.hasOwn(EXPLAINED, line.split(' ')[0] ?? ''))
const stale = Object.keys(EXPLAINED)
  .filter((name) => !unused.some((line) => line.startsWith(`${name} `)))
  .map((name) => `${name} uses all that it may, and needs no explanation`)

for (const line of [...new Set([...refused, ...unexplained, ...stale])].sort()) console.error(line)
const distinct = new Set(Object.values(roles).map((role) => JSON.stringify(role))).size
console.log(`${recordings.length} requests of ${nameOf.size} functions judged by ${distinct} roles`)
process.exitCode = refused.length + unexplained.length + stale.length > 0 || recordings.length === 0 ? 1 : 0

/** The function of each first route, and of each job's name. */
async function functionNames(): Promise<Map<string, string>> {
  const { functions } = parse(await readFile(new URL('serverless.yml', ROOT), 'utf8'), {
    logLevel: 'silent',
  }) as {
    functions: Record<string, { handler: string }>
  }
  const named = Object.entries(functions).map(async ([name, { handler }]) => {
    const { spec } = await import(new URL(handler.replace(/\.handler$/, '.ts'), ROOT).href)
    return [routesOfSpec(spec)[0] ?? spec.name, name] as const
  })
  return new Map(await Promise.all(named))
}
