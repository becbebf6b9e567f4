import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { importJWK, SignJWT } from 'jose'
import {
  ADMINISTRATOR_CLAIMS,
  CONSOLE_AUDIENCE,
  CONSOLE_TOKEN_SECONDS,
  openidIssuer,
} from '../environment.ts'
import { localKeys } from '../keys.ts'
import { portsFrom } from '../ports.ts'
import { type LocalSettings, readSettings } from '../settings.ts'

/**
 * A console access token of the local OpenID provider for an administrator of this name. Good for twelve
 * hours, on the stack with this port and directory only, whether it runs or not.
 */
export async function consoleToken({ port, directory }: LocalSettings, sub: string): Promise<string> {
  const { openidKeys } = await localKeys(directory)
  const [key] = openidKeys.keys
  return new SignJWT({ ...ADMINISTRATOR_CLAIMS, client_id: CONSOLE_AUDIENCE, scope: 'openid profile' })
    .setProtectedHeader({ typ: 'at+jwt', alg: key.alg, kid: key.kid })
    .setIssuer(openidIssuer(portsFrom(port)))
    .setAudience(CONSOLE_AUDIENCE)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${CONSOLE_TOKEN_SECONDS} s`)
    .setJti(randomUUID())
    .sign(await importJWK(key))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { sub: { type: 'string', default: 'admin' } } })
  console.log(await consoleToken(readSettings(process.env), values.sub))
}
