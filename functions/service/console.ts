import { pageSettings, showConsole } from '#lib/console/console-page'
import { openidEndpoints } from '#lib/console/openid-provider'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { consoleNames } from './console-files.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /console',
  summary: 'The administrators’ page',
  description: 'Signs in at the configured OpenID provider, by authorization code with PKCE.',
  access: 'public',
  output: { 200: content('text/html; charset=utf-8') },
  deps: { page: pageSettings, endpoints: openidEndpoints },
  run: (_, deps) => showConsole(deps, consoleNames()),
})
