import { user } from '#lib/accounts/access'
import { requestVerification } from '#lib/accounts/mailed-links/request-mail'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/verification',
  summary: "Have a link mailed that verifies the caller's e-mail address",
  description:
    'The link works for 24 hours. A verified address is sent no mail. One address is sent at most five such mails an ' +
    'hour, the one at registration included. One network may request ten mails an hour. A further request is a 429.',
  access: user,
  output: { 202: null },
  problems: ['too_many_requests'],
  deps: { mails: mailRequests, throttle: loginThrottle, now: clock, newId: ids },
  run: ({ actor, request }, deps) => requestVerification(deps, actor.account, request.ipAddress),
})
