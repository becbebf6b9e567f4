import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalRoute } from '../gateway/gateway.ts'

const PATH = '/local/sign-in'

const FILES: Readonly<Record<string, { name: string; contentType: string }>> = {
  [PATH]: { name: 'sign-in.html', contentType: 'text/html; charset=utf-8' },
  [`${PATH}/script.js`]: { name: 'script.js', contentType: 'text/javascript; charset=utf-8' },
}

/**
 * `GET /local/sign-in`: a page that registers, signs in, steps up and changes second factors as a front end would, with
 * an authenticator app and the browser's own passkeys.
 */
export const signInPageRoute: LocalRoute = {
  method: 'GET',
  path: PATH,
  handle: async (_, response, url) => {
    const file = FILES[url.pathname]
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': file?.contentType ?? 'text/plain',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'",
    })
    response.end(file === undefined ? 'Not Found' : await readFile(join(import.meta.dirname, file.name)))
  },
}
