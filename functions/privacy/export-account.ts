import { user } from '#lib/accounts/access'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { dataKeys } from '#lib/config/keys'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { seeOther } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { AccountExport, exportAccount } from '#lib/privacy/export-account'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { exportLinks } from '#lib/privacy/export-links.s3'
import { exportedStores } from '#lib/privacy/exported-stores.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /auth/export',
  summary: 'Everything held about the caller',
  description:
    'Without hashes, files and administrators’ notes. An export beyond 5 MB is answered by a 303 to a link. At most three a day.',
  access: steppedUpWithFactor(user),
  output: { 200: AccountExport, 303: null },
  problems: ['too_many_requests'],
  deps: {
    quotas,
    ...exportedStores,
    files: exportFiles,
    links: exportLinks,
    dataKeys,
    now: clock,
    newId: ids,
  },
  run: async ({ actor }, deps) => {
    const { document, link } = await exportAccount(deps, actor.account)
    return link === null ? { status: 200, body: document } : seeOther(link)
  },
})
