import { linkPage } from '#lib/accounts/mailed-links/link-page'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { localeFor } from '#lib/kernel/locale'

export const { spec, handler } = endpoint({
  route: 'GET /undo-email-change',
  summary: 'The page of a mailed link that brings a former e-mail back',
  description: 'Plain, and works without script. Opening it changes nothing; its button does.',
  access: 'public',
  output: { 200: content('text/html; charset=utf-8') },
  isSecret: true,
  deps: {},
  run: ({ request }) => linkPage('email-undo', localeFor(request.acceptLanguage)),
})
