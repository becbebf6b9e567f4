import { showLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'

export const { spec, handler } = showLinkPage({
  route: 'GET /undo-email-change',
  purpose: 'email-undo',
  summary: 'The page of a mailed link that brings a former e-mail address back',
})
