import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { importJWK, SignJWT } from 'jose'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import {
  ADMINISTRATORS,
  CONSOLE_AUDIENCE,
  CONSOLE_TOKEN_SECONDS,
  groupClaims,
  machineOf,
  openidIssuer,
} from '../environment.ts'
import { localKeys } from '../keys.ts'
import { portsFrom } from '../ports.ts'
import { type LocalSettings, readSettings } from '../settings.ts'

// `npm run --silent token`: prints a console token. `-- --sub <name>` names another administrator, `--group <name>` puts
// them into that group instead of the one with every role, and `--auth-age <seconds>` makes the sign-in that old.
// `--machine <role>` prints the token of a machine with that role instead.

/** The stack that tokens are for. */
type Place = Pick<LocalSettings, 'port' | 'directory'>

/** An administrator, when they signed in and the group that they are in. */
type ConsoleSignIn = { sub: string; group?: string; authAgeSeconds?: number }

/**
 * Signs a console access token of the local OpenID provider for an administrator. It is good for twelve hours, on the
 * stack with this port and directory only, whether it runs or not.
 */
export const consoleToken = (
  settings: Place,
  { sub, group = ADMINISTRATORS, authAgeSeconds = 0 }: ConsoleSignIn,
): Promise<string> =>
  signedToken(settings, sub, {
    ...groupClaims(group),
    client_id: CONSOLE_AUDIENCE,
    scope: 'openid profile',
    auth_time: Math.floor(Date.now() / 1000) - authAgeSeconds,
  })

/** Signs the access token that a machine receives for its client credentials at the provider's token endpoint. */
export const machineToken = (settings: Place, clientId: string): Promise<string> =>
  signedToken(settings, clientId, { client_id: clientId })

async function signedToken(
  { port, directory }: Place,
  sub: string,
  claims: Record<string, unknown>,
): Promise<string> {
  const { openidKeys } = await localKeys(directory)
  const [key] = openidKeys.keys
  return new SignJWT(claims)
    .setProtectedHeader({ typ: 'at+jwt', alg: key.alg, kid: key.kid })
    .setIssuer(openidIssuer(portsFrom(port)))
    .setAudience(CONSOLE_AUDIENCE)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${CONSOLE_TOKEN_SECONDS} s`)
    .setJti(randomUUID())
    .sign(await importJWK(key))
}

const string = { type: 'string' } as const

async function requestedToken(): Promise<string> {
  const { values } = parseArgs({
    options: { sub: { ...string, default: 'admin' }, group: string, 'auth-age': string, machine: string },
  })
  const { sub, group, 'auth-age': age = '0', machine } = values
  const settings = readSettings(process.env)
  if (!/^\d{1,9}$/.test(age)) throw new Error('--auth-age takes seconds.')
  if (machine === undefined)
    return consoleToken(settings, { sub, ...(group !== undefined && { group }), authAgeSeconds: Number(age) })
  const role = CONSOLE_ROLES.find((each) => each === machine)
  if (!role) throw new Error(`--machine takes one of ${CONSOLE_ROLES.join(', ')}.`)
  return machineToken(settings, machineOf(role))
}

if (import.meta.main) {
  try {
    console.log(await requestedToken())
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
