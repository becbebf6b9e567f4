import type { Account } from './account.ts'
import type { AccountValue } from './account-values.ts'

/** What a deployment needs, whether it is there, and how to get it. */
export type Finding = { what: string; isThere: boolean; remedy: string }

/** Who the credentials belong to, and what SES says of an address. */
export type Surroundings = {
  account: Account
  /** The account's number; throws where there are no credentials. */
  whoAmI: () => Promise<string>
  mayMailFrom: (address: string) => Promise<boolean>
  /** How many invocations Lambda runs at once in the region; undefined where nobody may know. */
  concurrency: () => Promise<number | undefined>
  /** Where the functions are packaged: their bytecode is of this Node. */
  nodeVersion: string
}

const NODE_MAJOR = 24

/** Lambda leaves 100 to functions without a reservation; the functions of serverless.yml reserve as many. */
const CONCURRENCY = 200

/** Finds out what is missing before a stage can be deployed. Changes nothing. `isShared`: nothing is reserved. */
export async function examine(
  { account, whoAmI, mayMailFrom, concurrency, nodeVersion }: Surroundings,
  values: readonly AccountValue[],
  isShared = false,
): Promise<Finding[]> {
  const findings: Finding[] = [
    {
      what: `Node ${NODE_MAJOR} packages, as Lambda runs (here: ${nodeVersion})`,
      isThere: nodeVersion.startsWith(`v${NODE_MAJOR}.`),
      remedy: 'run it with npm, which brings its own Node',
    },
  ]
  const number = await whoAmI().catch(() => undefined)
  findings.push({
    what: number === undefined ? 'AWS credentials' : `AWS credentials of account ${number}`,
    isThere: number !== undefined,
    remedy: 'aws configure sso, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  })
  if (number === undefined) return findings
  const quota = isShared ? undefined : await concurrency()
  if (quota !== undefined) {
    findings.push({
      what: `Lambda runs ${CONCURRENCY} invocations at once (here: ${quota})`,
      isThere: quota >= CONCURRENCY,
      remedy: 'raise the quota "Concurrent executions" of Lambda, or deploy with --param concurrency=shared',
    })
  }
  for (const value of values) {
    const text = await account.read(value)
    findings.push({
      what: `${value.name}: ${value.what}`,
      isThere: text !== undefined,
      remedy: remedyFor(value),
    })
    if (value.name.endsWith('/mail-from') && text !== undefined) {
      findings.push({
        what: `SES may send from ${text}`,
        isThere: await mayMailFrom(text),
        remedy: `aws sesv2 create-email-identity --email-identity ${text}, then answer the mail that comes`,
      })
    }
  }
  return findings
}

const remedyFor = ({ name, make }: AccountValue): string =>
  make || name.endsWith('/mail-from')
    ? 'npm run secrets -- --stage <stage> --write'
    : `aws ssm put-parameter --type String --name ${name} --value <value>`
