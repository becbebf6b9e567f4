import { administrator } from '#lib/accounts/access'
import { getOverview, Overview } from '#lib/administration/overview/get-overview'
import { overviewReader } from '#lib/administration/overview/overview-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'

export const { spec, handler } = endpoint({
  route: 'GET /admin/overview',
  summary: 'How much waits, and the payments and sign-ups of the last days',
  description:
    'How much waits in each queue and since when, as the queue’s own list says; payments and sign-ups of today and ' +
    'the seven UTC days before. A payment stands under the day on which it was created, with its present status; a ' +
    'sign-up counts for as long as the account is there. The counts follow every change within 10 seconds; a payment ' +
    'whose time has passed is EXPIRED here once that is recorded, within a minute or so. What the caller’s roles may not read is null.',
  access: administrator(CONSOLE_ROLES),
  output: { 200: Overview },
  deps: { overview: overviewReader, now: clock },
  run: ({ actor }, deps) => getOverview(deps, actor.roles),
})
