import { refusedLinkPage } from '#lib/accounts/mailed-links/link-page'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { resetPage } from '#lib/accounts/passwords/reset-page'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { localeFor } from '#lib/kernel/locale'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = endpoint({
  route: 'GET /reset-password',
  summary: 'The page of a mailed link that sets a new password',
  description:
    'Works without script. Opening it changes nothing; its button does. Without a token it mails a link to the address ' +
    'that is typed.',
  access: 'public',
  input: { query: LinkProof.partial() },
  output: { 200: content('text/html; charset=utf-8') },
  deps: { brand, passwordMinLength },
  refusalPage: (refusal, deps) =>
    refusedLinkPage(
      'password-reset',
      { locale: localeFor(refusal.acceptLanguage), brand: deps.brand },
      refusal,
    ),
  run: ({ query, request }, deps) => resetPage(deps, query, localeFor(request.acceptLanguage)),
})
