import type { Parameters } from '../package/parameters.ts'
import type { Account } from './account.ts'
import type { AccountValue } from './account-values.ts'

export type Finding = { what: string; isThere: boolean; remedy: string }

/** The facts of an AWS account and a region on which a deployment depends. */
export type AwsFacts = {
  account: Account
  /** The account's number; throws where there are no credentials. */
  whoAmI: () => Promise<string>
  /** The facts that SES has about the address or its domain. */
  mailIdentity: (address: string) => Promise<{ isVerified: boolean; isSigned: boolean }>
  /** Whether SES sends to addresses that nobody verified (production access). */
  mayMailStrangers: () => Promise<boolean>
  /** The invocations that Lambda runs at once in the region; undefined where the quota may not be read. */
  concurrency: () => Promise<number | undefined>
}

/** The sum that the functions of serverless.yml reserve. */
export const RESERVED_CONCURRENCY = 203
/** Lambda leaves 100 to functions without a reservation. */
const CONCURRENCY = RESERVED_CONCURRENCY + 100

/** The stage for trials: it needs no web ACL, and mails verified addresses only. */
const TRIAL_STAGE = 'dev'

/** Reports what is missing before a stage can be deployed with these parameters. Changes nothing. */
export async function examine(
  { account, whoAmI, mailIdentity, mayMailStrangers, concurrency }: AwsFacts,
  values: readonly AccountValue[],
  stage: string,
  parameters: Parameters,
): Promise<Finding[]> {
  const number = await whoAmI().catch(() => undefined)
  const findings: Finding[] = [
    {
      what: number === undefined ? 'AWS credentials' : `AWS credentials of account ${number}`,
      isThere: number !== undefined,
      remedy: 'aws configure sso, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    },
  ]
  if (number === undefined) return findings
  // The front is a CloudFront distribution before the API.
  if (stage !== TRIAL_STAGE && parameters.front !== 'off') {
    findings.push({
      what: `a web ACL before the front (${parameters.wafAcl ?? 'not said'})`,
      isThere: parameters.wafAcl !== undefined,
      remedy:
        'deploy lib/deploy/waf.yml and give --param wafAcl=<its ARN>, or --param wafAcl=off to go without',
    })
  }
  if (stage !== TRIAL_STAGE) {
    findings.push({
      what: 'SES sends to strangers (production access)',
      isThere: await mayMailStrangers(),
      remedy:
        'aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url <yours>, and ' +
        'wait for a day',
    })
  }
  const quota = parameters.concurrency === 'shared' ? undefined : await concurrency()
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
      const { isVerified, isSigned } = await mailIdentity(text)
      const domain = text.slice(text.indexOf('@') + 1)
      findings.push({
        what: `SES may send from ${text}`,
        isThere: isVerified,
        remedy: `aws sesv2 create-email-identity --email-identity ${domain}, then publish the DNS records that it prints`,
      })
      if (stage === TRIAL_STAGE) continue
      findings.push({
        what: `mail from ${text} is signed by DKIM, without which Gmail and Yahoo refuse it`,
        isThere: isSigned,
        remedy: `verify the domain instead of the address: aws sesv2 create-email-identity --email-identity ${domain}`,
      })
    }
  }
  return findings
}

/** Returns the command that stores a value. `npm run secrets` makes keys, and takes the address as `--param mailFrom`. */
const remedyFor = ({ name, make }: AccountValue): string =>
  make || name.endsWith('/mail-from')
    ? 'npm run secrets -- --stage <stage> --write'
    : `aws ssm put-parameter --type String --name ${name} --value <value>`
