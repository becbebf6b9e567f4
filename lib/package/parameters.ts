import * as z from 'zod'
import { VARIABLES } from '#lib/config/variables'
import { TABLE_STREAM } from './template/restored-table.ts'

const url = z.url({ protocol: /^https$/ })

/** A number from 0. An empty text, which a shell makes of an unset variable, would count as 0. */
const whole = z.string().trim().min(1).pipe(z.coerce.number<string>().int().min(0))
/** JSON of the form that its variable has, see `isRefusedByFunctions`. */
const json = z.string().min(1)

const Parameters = z.strictObject({
  /** Where administrators sign in: at the stack's own Cognito user pool, or at an external OpenID provider. */
  console: z.enum(['cognito', 'external']).optional(),
  /** Whether CloudFront stands before the gateway. */
  front: z.enum(['on', 'off']).optional(),
  /** Whether callbacks have an address outside the gateway. */
  functionUrl: z.enum(['on', 'off']).optional(),
  /** Whether costly functions have a concurrency of their own, which the quota of a new account does not allow. */
  concurrency: z.enum(['reserved', 'shared']).optional(),
  /** A domain of one's own for the CloudFront distribution, and its certificate in us-east-1. */
  domain: z.hostname().optional(),
  certificate: z
    .string()
    .regex(/^arn:[a-z-]+:acm:us-east-1:\d{12}:certificate\/\S+$/)
    .optional(),
  /** A web ACL of CloudFront lies in us-east-1 and is called global; `off` declines a web ACL. */
  wafAcl: z
    .string()
    .regex(/^(off|arn:[a-z-]+:wafv2:us-east-1:\d{12}:global\/webacl\/\S+)$/)
    .optional(),
  /** Requests a second that the gateway takes for each route, and how many at once. */
  throttleRate: z.coerce.number().int().min(1).optional(),
  throttleBurst: z.coerce.number().int().min(1).optional(),
  /** US dollars a month for the whole account. A mail to `alertEmail` reports 80 % of it, or a forecast above it. */
  budget: z.coerce.number().positive().optional(),
  /** Whether X-Ray traces one invocation a second, and one in twenty beyond it. */
  tracing: z.enum(['on', 'off']).optional(),
  /** Whether removing the stack removes its data too, as for a preview. */
  ephemeral: z.enum(['on', 'off']).optional(),
  /** A key of one's own for the table and for documents, in the stage's region. */
  kmsKey: z
    .string()
    .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/)
    .optional(),
  mailFrom: z.email().optional(),
  publicUrl: url.optional(),
  mediaUrl: url.optional(),
  passwordResetUrl: url.optional(),
  emailVerificationUrl: url.optional(),
  emailChangeUrl: url.optional(),
  emailUndoUrl: url.optional(),
  unsubscribeUrl: url.optional(),
  listingUrl: url.optional(),
  enquiryUrl: url.optional(),
  paymentRequestUrl: url.optional(),
  brand: json.optional(),
  consoleRoles: json.optional(),
  consoleMachines: json.optional(),
  consoleStepUpSeconds: whole.optional(),
  webauthnRpId: z.hostname().optional(),
  webauthnOrigins: z.string().optional(),
  returnOrigins: z.string().optional(),
  commission: json.optional(),
  payoutDelayDays: whole.optional(),
  payoutAccountHoldHours: whole.optional(),
  approvalLimits: json.optional(),
  listingLimits: json.optional(),
  corsOrigins: z.string().optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).optional(),
  alertEmail: z.email().optional(),
  /** S3 Object Lock keeps every document for so many days; a bucket cannot lose the lock again. */
  documentsLockDays: z.coerce.number().int().min(1).max(3650).optional(),
  /** The days for which a log says who read, wrote or removed which document. */
  documentsLogDays: z.coerce.number().int().min(1).max(3650).optional(),
  /** The ARN of a restored table's stream: that table takes the place of the stack's own. */
  restoredTable: z.string().regex(TABLE_STREAM).optional(),
})
export type Parameters = z.infer<typeof Parameters>

/** The names of all parameters. */
export const ParameterName = Parameters.keyof()

/** Returns the names and values of `--param` options: `name=value`, split at the first `=`. */
export const parameterEntries = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((each) => {
      const [, name = each, value = ''] = /^([^=]*)=(.*)$/s.exec(each) ?? []
      return [name, value]
    }),
  )

/**
 * Reads each of the `--param` options of a command alone. Throws with every unknown and every wrong parameter. Options that
 * others of the last release complete need not go together yet.
 */
export function parseParameters(given: readonly string[]): Parameters {
  const entries = parameterEntries(given)
  const parsed = Parameters.safeParse(entries)
  const issues = parsed.error?.issues ?? []
  const faults = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${key} is not known`)
      : [`${issue.path.join('.')} is not valid`],
  )
  const refused = Object.entries(entries).filter(([name, value]) => isRefusedByFunctions(name, value))
  const all = new Set([...faults, ...refused.map(([name]) => `${name} is not valid`)])
  if (!parsed.success || all.size > 0)
    throw new Error(`--param: ${[...all].join('; ')}. Known: ${Object.keys(Parameters.shape).join(', ')}`)
  return parsed.data
}

/**
 * Whether functions would refuse a parameter's value as their variable, `COMMISSION` for `commission`: none that reads it
 * would start. An empty one sets no variable.
 */
function isRefusedByFunctions(name: string, value: string): boolean {
  const variable = name.replace(/[A-Z]/g, '_$&').toUpperCase()
  const [, schemaOf] = Object.entries(VARIABLES).find(([each]) => each === variable) ?? []
  return value !== '' && schemaOf?.().safeParse(value).success === false
}

/**
 * Reads the `--param` options of a command. Throws, before anything is made, with every unknown and every wrong parameter,
 * or for parameters that do not go together.
 */
export function readParameters(given: readonly string[]): Parameters {
  const parameters = parseParameters(given)
  const { domain, certificate, front, publicUrl, wafAcl, budget, alertEmail } = parameters
  const { ephemeral, documentsLockDays, restoredTable } = parameters
  if ((domain === undefined) !== (certificate === undefined)) {
    throw new Error('--param: domain and certificate go together')
  }
  if (domain !== undefined && publicUrl !== `https://${domain}`) {
    throw new Error(`--param: domain needs publicUrl=https://${domain}`)
  }
  const hasWebAcl = wafAcl !== undefined && wafAcl !== 'off'
  if (front === 'off' && (domain !== undefined || hasWebAcl)) {
    throw new Error('--param: domain and wafAcl need front=on')
  }
  if (budget !== undefined && alertEmail === undefined) {
    throw new Error('--param: budget needs alertEmail, which it mails to')
  }
  if (ephemeral === 'on' && (documentsLockDays !== undefined || restoredTable !== undefined)) {
    throw new Error('--param: ephemeral goes with neither documentsLockDays nor restoredTable')
  }
  return parameters
}
