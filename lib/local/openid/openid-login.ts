import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Provider } from 'oidc-provider'

/** Where the provider sends a browser to sign in; the interaction's id follows. */
export const LOGIN_PATH = '/login/'

/** Serves one form: it asks for a name, and signs in as that person without a proof. */
export const loginListener =
  (provider: Provider): RequestListener =>
  async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      response.end(LOGIN_PAGE)
      return
    }
    try {
      await provider.interactionFinished(request, response, {
        login: { accountId: await enteredName(request) },
      })
    } catch {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('This sign-in is no longer open. Start again from the console.')
    }
  }

async function enteredName(request: IncomingMessage): Promise<string> {
  return new URLSearchParams(await text(request)).get('name')?.trim() || 'admin'
}

const LOGIN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in · local stack</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }
  input, button { font: inherit; padding: .5rem .75rem; width: 100%; box-sizing: border-box; margin-top: .5rem }
</style>
<h1>Sign in</h1>
<p>The local stack believes any name and makes it an administrator's; one that begins with <code>guest</code> is in no
group.</p>
<form method="post">
  <label>Name <input name="name" value="admin" autocomplete="username" required maxlength="100"></label>
  <button>Sign in</button>
</form>
</html>
`
