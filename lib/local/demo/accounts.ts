import * as z from 'zod'
import type { LocalRoute } from '../gateway/gateway.ts'
import { DEMO_AGENTS, DEMO_PASSWORD } from './demo-data.ts'

const SignedIn = z.object({ accessToken: z.string() })

const PATH = '/local/accounts'

/** An account that the documentation's page offers. Its id is part of a path. */
type LocalAccount = { id: string; name: string; role: string; token: () => Promise<string | undefined> }

/**
 * Serves the accounts of the local stack for the documentation, where a click signs in: `GET /local/accounts` lists
 * them, `POST /local/accounts/<id>` returns an access token. An account that is not there (demo data off, deleted) is a 404.
 */
export function accountRoutes(publicUrl: string, consoleToken: () => Promise<string>): LocalRoute[] {
  const accounts: LocalAccount[] = [
    ...DEMO_AGENTS.map(({ email, name, verified }) => ({
      id: email.replace(/@.*/, ''),
      name,
      role: verified ? 'a verified agent' : 'an agent not verified yet',
      token: () => signIn(publicUrl, email),
    })),
    { id: 'administrator', name: 'Administrator', role: 'of the console', token: consoleToken },
  ]
  return [
    {
      method: 'GET',
      path: PATH,
      handle: (_, response) =>
        answer(response, 200, { items: accounts.map(({ id, name, role }) => ({ id, name, role })) }),
    },
    // A route answers its path and every path below it, here `/local/accounts/<id>`.
    {
      method: 'POST',
      path: PATH,
      handle: async (_, response, url) => {
        const account = accounts.find(({ id }) => url.pathname === `${PATH}/${id}`)
        const accessToken = await account?.token()
        if (accessToken === undefined) answer(response, 404, { message: 'Not Found' })
        else answer(response, 200, { accessToken })
      },
    },
  ]
}

function answer(response: Parameters<LocalRoute['handle']>[1], status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

async function signIn(publicUrl: string, email: string): Promise<string | undefined> {
  const response = await fetch(`${publicUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  return SignedIn.safeParse(await response.json()).data?.accessToken
}
