import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { createTable, localDynamoClient } from '#lib/local/dynamodb'
import { type KeySet, TEST_BUCKETS, TEST_CREDENTIALS } from './test-stack.ts'

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'n', 'e', 'kid', 'alg', 'use']
const publicPart = ({ keys }: KeySet) => ({
  keys: keys.map((key) =>
    Object.fromEntries(Object.entries(key).filter(([name]) => PUBLIC_MEMBERS.includes(name))),
  ),
})

const stack = inject('stack')
const before = { ...process.env }
const tableName = `test-${randomBytes(8).toString('hex')}`

/** The environment of a function, with a table of its own for each test file. */
Object.assign(process.env, {
  STAGE: 'test',
  PUBLIC_URL: 'https://api.platform.test',
  MEDIA_URL: stack.mediaUrl,
  TABLE_NAME: tableName,
  MEDIA_BUCKET: TEST_BUCKETS.media,
  DOCUMENTS_BUCKET: TEST_BUCKETS.documents,
  AUTH_ISSUER: 'https://api.platform.test',
  AUTH_AUDIENCE: 'platform-api',
  AUTH_JWKS: JSON.stringify(publicPart(stack.signingKeys)),
  AUTH_SIGNING_KEYS: JSON.stringify(stack.signingKeys),
  CONSOLE_ISSUER: 'https://console.platform.test',
  CONSOLE_AUDIENCE: 'platform-console',
  CONSOLE_JWKS: JSON.stringify(publicPart(stack.consoleKeys)),
  CONSOLE_ROLES: JSON.stringify({
    identities: 'people',
    moderation: 'moderators',
    payments: 'cashiers',
    support: 'helpers',
    integrations: 'integrators',
    auditor: 'auditors',
  }),
  CONSOLE_MACHINES: JSON.stringify({ 'machine-books': ['payments', 'auditor'] }),
  DATA_KEYS: Buffer.alloc(32, 3).toString('base64url'),
  HMAC_KEYS: Buffer.alloc(32, 1).toString('base64url'),
  CURSOR_KEYS: Buffer.alloc(32, 2).toString('base64url'),
  MAIL_TRANSPORT: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'no-reply@platform.test',
  CORS_ORIGINS: 'https://www.platform.test',
  WEBAUTHN_RP_ID: 'platform.test',
  LOG_LEVEL: 'silent',
  PAYMENT_PROVIDERS: '{}',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: TEST_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: TEST_CREDENTIALS.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoEndpoint,
  AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
})

beforeAll(async () => {
  await createTable(localDynamoClient(stack.dynamoEndpoint), tableName, { withStream: false })
})

// Metrics are written whatever the log level: beside the tests' own output they would only be in the way.
const { write } = process.stdout
process.stdout.write = ((line: string | Uint8Array, ...rest: never[]) =>
  `${line}`.includes('"_aws":') || write.call(process.stdout, line, ...rest)) as typeof write

// The next file runs in the same process.
afterAll(() => {
  process.stdout.write = write
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
