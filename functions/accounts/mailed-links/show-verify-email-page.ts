import { showLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'

export const { spec, handler } = showLinkPage({
  route: 'GET /verify-email',
  purpose: 'email-verification',
  summary: 'The page of a mailed link that verifies an e-mail address',
})
