import * as z from 'zod'
import { HOUR_SECONDS } from '#lib/kernel/clock'
import { CONSOLE_ROLES, type ConsoleRole } from '#lib/kernel/console-role'
import { EVENT_BUS_PATH } from './events/event-bus.ts'
import { QUEUES_PATH } from './events/sqs.ts'
import type { LocalKeys } from './keys.ts'
import type { Ports } from './ports.ts'

/** Pages of this machine may call the stack from any port. */
const LOCAL_ORIGINS = ['http', 'https'].flatMap((scheme) =>
  ['localhost', '127.0.0.1', '[::1]'].map((host) => `${scheme}://${host}:*`),
)

const LOCAL_TABLE = 'platform-local'
const LOCAL_BUCKETS = { media: 'platform-local-media', documents: 'platform-local-documents' } as const
const LOCAL_REGION = 'eu-west-1'

/** The console's client id, which is also the audience of its tokens, as with Amazon Cognito. */
export const CONSOLE_AUDIENCE = 'platform-console'

export const CONSOLE_TOKEN_SECONDS = 12 * HOUR_SECONDS

/** The group of administrators with every role. Each role also has a group of the same name. */
export const ADMINISTRATORS = 'admins'

/** Returns the claims of an access token that puts someone into a group, as Amazon Cognito spells it. */
export const groupClaims = (group: string) => ({ 'cognito:groups': [group] })

/** Returns the client id of the local machine that has a role. */
export const machineOf = (role: ConsoleRole): string => `machine-${role}`

/** The secret of every local machine. */
export const MACHINE_SECRET = 'local'

/** Returns the origin of the console's OpenID provider, as its tokens name it. */
export const openidIssuer = (ports: Ports): string => `http://localhost:${ports.openid}`

/** The environment of a process: every value is text. */
export type Environment = Record<string, string>

const Providers = z.record(z.string(), z.looseObject({}))

/**
 * Returns the environment in which the functions of a local stack run: the service's variables with local values, and
 * the rest of the caller's environment. A variable that the caller set wins; its origins and payment providers are added to
 * the local ones. AWS credentials and the region are always local, so that the local stack never reaches a real account.
 */
export function localEnvironment(ports: Ports, keys: LocalKeys, caller: NodeJS.ProcessEnv): Environment {
  const publicUrl = `http://localhost:${ports.gateway}`
  const given = present(caller)
  const defaults: Environment = {
    STAGE: 'local',
    PUBLIC_URL: publicUrl,
    MEDIA_URL: `http://localhost:${ports.media}`,
    TABLE_NAME: LOCAL_TABLE,
    MEDIA_BUCKET: LOCAL_BUCKETS.media,
    DOCUMENTS_BUCKET: LOCAL_BUCKETS.documents,
    AUTH_ISSUER: publicUrl,
    AUTH_AUDIENCE: 'platform-api',
    AUTH_JWKS: JSON.stringify(publicPart(keys.signingKeys)),
    AUTH_SIGNING_KEYS: JSON.stringify(keys.signingKeys),
    CONSOLE_ISSUER: openidIssuer(ports),
    CONSOLE_AUDIENCE,
    CONSOLE_JWKS_URI: `${openidIssuer(ports)}/jwks`,
    CONSOLE_ADMIN_CLAIM: 'cognito:groups',
    CONSOLE_ADMIN_GROUP: ADMINISTRATORS,
    CONSOLE_ROLES: JSON.stringify(Object.fromEntries(CONSOLE_ROLES.map((role) => [role, role]))),
    CONSOLE_MACHINES: JSON.stringify(
      Object.fromEntries(CONSOLE_ROLES.map((role) => [machineOf(role), [role]])),
    ),
    CONSOLE_STEP_UP_SECONDS: `${CONSOLE_TOKEN_SECONDS}`,
    PAYOUT_DELAY_DAYS: '0',
    PAYOUT_ACCOUNT_HOLD_HOURS: '0',
    DATA_KEYS: keys.dataKeys,
    HMAC_KEYS: keys.hmacKeys,
    CURSOR_KEYS: keys.cursorKeys,
    MAIL_TRANSPORT: `smtp://127.0.0.1:${ports.mail}`,
    MAIL_FROM: 'no-reply@platform.localhost',
    LOG_LEVEL: 'info',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${ports.dynamodb}`,
    // By address, not by name: with an address the SDK puts the bucket into the path, not into the host.
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${ports.s3}`,
    AWS_ENDPOINT_URL_EVENTBRIDGE: `http://127.0.0.1:${ports.gateway}${EVENT_BUS_PATH}`,
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${ports.gateway}${QUEUES_PATH}`,
    // Any other call to AWS is a mistake here, and must not leave the machine.
    AWS_ENDPOINT_URL: `http://127.0.0.1:${ports.gateway}/local/aws`,
  }
  return {
    ...defaults,
    ...given,
    CORS_ORIGINS: [...LOCAL_ORIGINS, ...(given['CORS_ORIGINS'] ? [given['CORS_ORIGINS']] : [])].join(','),
    PAYMENT_PROVIDERS: JSON.stringify(paymentProviders(publicUrl, keys, caller['PAYMENT_PROVIDERS'])),
    AWS_REGION: LOCAL_REGION,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  }
}

/** Returns the caller's variables that are set and not empty, without those of an AWS account. */
function present(caller: NodeJS.ProcessEnv): Environment {
  const kept = Object.entries(caller).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !isAwsAccount(entry[0]),
  )
  return Object.fromEntries(kept)
}

const isAwsAccount = (name: string) => name.startsWith('AWS_') && !name.startsWith('AWS_ENDPOINT_URL')

function paymentProviders(publicUrl: string, keys: LocalKeys, given: string | undefined) {
  const configured = given ? parseProviders(given) : {}
  return {
    ...configured,
    sandbox: {
      webhookSecrets: [keys.sandboxWebhookSecret],
      apiBase: `${publicUrl}/local/sandbox`,
      ...configured['sandbox'],
    },
  }
}

function parseProviders(text: string) {
  try {
    return Providers.parse(JSON.parse(text))
  } catch {
    throw new Error('PAYMENT_PROVIDERS is not a JSON object of objects.')
  }
}

/** The private members of JSON Web Keys of every type (RFC 7518 and RFC 8037). */
const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])

/** Returns the key set without the private members of its keys. */
export const publicPart = ({ keys }: LocalKeys['signingKeys']) => ({
  keys: keys.map((key) =>
    Object.fromEntries(Object.entries(key).filter(([member]) => !PRIVATE_MEMBERS.has(member))),
  ),
})
