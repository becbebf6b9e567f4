import * as z from 'zod'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'

const url = () => z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''))
const json = () =>
  z.string().transform((value, context) => {
    try {
      return JSON.parse(value) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON', input: value })
      return z.NEVER
    }
  })
const jwks = () => json().pipe(z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }))
/** Keys of 32 bytes or more, each 43 characters of base64url at least, separated by commas. */
const base64urlKeys = () =>
  z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9_-]{43,}={0,2}$/)).min(1))
    .transform((keys) => keys.map((key) => Buffer.from(key, 'base64url')))
/** Keys of exactly 32 bytes, as AES-256 takes them. */
const aesKeys = () =>
  base64urlKeys().refine((keys) => keys.every((key) => key.length === 32), 'must be keys of 32 bytes')
const list = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
const kinds = () => z.array(z.string()).default([])
/** Returns the kinds of items whose changes go to a queue, by the name of the function that follows them. */
const changeRoutes = () =>
  z.record(
    z.string(),
    z.object({ queue: z.string(), inserted: kinds(), modified: kinds(), removed: kinds() }),
  )
/** A JSON object of whole numbers; empty where the variable is not set. */
const wholeNumbers = <Name extends z.ZodType<string, string>>(names: Name, { max }: { max: number }) =>
  z
    .string()
    .default('{}')
    .pipe(json())
    .pipe(z.partialRecord(names, z.int().min(0).max(max)))
/** Origins of pages, and schemes of apps as `myapp://`. */
const returnOrigins = () =>
  list().pipe(z.array(z.string().regex(/^(https?:\/\/[^/?#@\s]+|[a-z][a-z0-9+.-]*:\/\/)$/i)))
const name = () => z.string().min(1)
/** A name, a hexadecimal colour, and a logo as a web address or a `data:` URL. */
const brand = () =>
  z
    .string()
    .default('{}')
    .pipe(json())
    .pipe(
      z.strictObject({
        name: z.string().trim().min(1).max(100).optional(),
        colour: z
          .string()
          .regex(/^#([0-9a-f]{3}){1,2}$/i)
          .optional(),
        logo: z
          .union([z.url({ protocol: /^https?$/ }), z.string().regex(/^data:image\/[\w.+-]+[;,]/)])
          .optional(),
      }),
    )

const consoleRole = () => z.enum(CONSOLE_ROLES)

/**
 * Every environment variable of the product, with a function that makes its schema. A function reads few of them and makes
 * only their schemas: all of them would cost each cold start a millisecond.
 */
export const VARIABLES = {
  STAGE: name,
  PUBLIC_URL: url,
  MEDIA_URL: url,
  TABLE_NAME: name,
  CHANGE_ROUTES: () => json().pipe(changeRoutes()),
  MEDIA_BUCKET: name,
  DOCUMENTS_BUCKET: name,
  AUTH_ISSUER: name,
  AUTH_AUDIENCE: name,
  AUTH_JWKS: jwks,
  AUTH_SIGNING_KEYS: () => jwks().optional(),
  AUTH_SIGNING_KEYS_PARAMETER: () => name().optional(),
  CONSOLE_ISSUER: name,
  CONSOLE_AUDIENCE: name,
  CONSOLE_JWKS_URI: () => url().optional(),
  CONSOLE_JWKS: () => jwks().optional(),
  CONSOLE_ADMIN_CLAIM: () => name().default('cognito:groups'),
  CONSOLE_ADMIN_GROUP: () => name().default('admins'),
  /** The group of the console's issuer that has each role. */
  CONSOLE_ROLES: () => json().pipe(z.partialRecord(consoleRole(), name())).default({}),
  /** The roles of each machine, by its client id. */
  CONSOLE_MACHINES: () =>
    json()
      .pipe(z.record(name(), z.array(consoleRole()).min(1)))
      .default({}),
  CONSOLE_STEP_UP_SECONDS: () => z.coerce.number().int().min(0).default(3600),
  DATA_KEYS: () => aesKeys().optional(),
  DATA_KEYS_PARAMETER: () => name().optional(),
  WEBAUTHN_RP_ID: () => name().optional(),
  WEBAUTHN_ORIGINS: () => list().default([]),
  HMAC_KEYS: () => base64urlKeys().optional(),
  HMAC_KEYS_PARAMETER: () => name().optional(),
  CURSOR_KEYS: base64urlKeys,
  MAIL_TRANSPORT: () => z.string().regex(/^(ses|smtps?:\/\/\S+)$/),
  MAIL_FROM: name,
  AWS_REGION: name,
  AWS_ENDPOINT_URL_S3: () => url().optional(),
  PASSWORD_RESET_URL: () => url().optional(),
  EMAIL_VERIFICATION_URL: () => url().optional(),
  EMAIL_CHANGE_URL: () => url().optional(),
  EMAIL_UNDO_URL: () => url().optional(),
  UNSUBSCRIBE_URL: () => url().optional(),
  LISTING_URL: () => url().optional(),
  ENQUIRY_URL: () => url().optional(),
  PAYMENT_REQUEST_URL: () => url().optional(),
  PAYMENT_PROVIDERS: () =>
    json()
      .pipe(z.record(z.string(), z.record(z.string(), z.unknown())))
      .optional(),
  PAYMENT_PROVIDERS_SECRET: () => name().optional(),
  /** In basis points, by purpose. */
  COMMISSION: () => wholeNumbers(z.enum(['deposit', 'rent', 'purchase', 'fee']), { max: 10_000 }),
  PAYOUT_DELAY_DAYS: () => z.coerce.number().int().min(0).max(365).default(7),
  PAYOUT_ACCOUNT_HOLD_HOURS: () => z.coerce.number().int().min(0).max(8760).default(72),
  /** The most that every agent may have; `files` are those of an hour. */
  LISTING_LIMITS: () => wholeNumbers(z.enum(['drafts', 'inReview', 'listings', 'files']), { max: 10_000 }),
  /** In minor units, by currency. */
  APPROVAL_LIMITS: () => wholeNumbers(z.string().regex(/^[A-Z]{3}$/), { max: 10 ** 15 }),
  PASSWORD_MIN_LENGTH: () => z.coerce.number().int().min(8).max(128).default(12),
  CORS_ORIGINS: () => list().default([]),
  BRAND: brand,
  RETURN_ORIGINS: () => returnOrigins().default([]),
  ORIGIN_SECRETS: () => list().default([]),
  LOG_LEVEL: () => z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const

export type Variable = keyof typeof VARIABLES

/** Pairs of which one is enough: the value itself, or the name of the place where it is stored. */
export const ALTERNATIVES: readonly (readonly [Variable, Variable])[] = [
  ['AUTH_SIGNING_KEYS', 'AUTH_SIGNING_KEYS_PARAMETER'],
  ['HMAC_KEYS', 'HMAC_KEYS_PARAMETER'],
  ['DATA_KEYS', 'DATA_KEYS_PARAMETER'],
  ['CONSOLE_JWKS', 'CONSOLE_JWKS_URI'],
  ['PAYMENT_PROVIDERS', 'PAYMENT_PROVIDERS_SECRET'],
]
