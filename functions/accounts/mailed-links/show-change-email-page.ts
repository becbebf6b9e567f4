import { showLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'

export const { spec, handler } = showLinkPage({
  route: 'GET /change-email',
  purpose: 'email-change',
  summary: 'The page of a mailed link that changes an e-mail address',
})
