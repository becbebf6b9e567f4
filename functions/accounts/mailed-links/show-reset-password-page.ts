import { showLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'

export const { spec, handler } = showLinkPage({
  route: 'GET /reset-password',
  purpose: 'password-reset',
  summary: 'The page of a mailed link that sets a new password',
})
