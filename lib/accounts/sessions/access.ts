import { isSteppedUp, stepUpRequired, type User, user } from '#lib/accounts/access'
import { hasSecondFactor } from '#lib/accounts/account'
import type { Resolved } from '#lib/config'
import type { Access } from '#lib/http/access'
import { secondsAfter } from '#lib/kernel/clock'
import { sessionStore } from './session-store.dynamo.ts'

const deps = { ...user.deps, sessions: sessionStore.only('get') }
type Deps = Resolved<Pick<typeof deps, 'sessions'>> & { now: () => Date }

/** The time within which the password must have been given before the first factor is added. */
const STEP_UP_SECONDS = 15 * 60

/**
 * Users who may add a second factor. Before the first factor the caller steps up with the password, whatever the age of
 * the sign-in, so that a stolen session cannot lock its owner out. Later the usual rule applies.
 */
export const steppedUpForFactor: Access<User> = {
  ...user,
  name: 'user, stepped up for a factor',
  problems: [...user.problems, 'step_up_required'],
  deps,
  check: async (event, given: Deps) => {
    // `deps` contains the dependencies of `user`, though the type `Access` does not say so.
    const caller = await user.check(event, given as never)
    const { account, sessionId, authTimeSeconds } = caller.actor
    const now = given.now()
    // The usual rule: a proof in the last 15 minutes, with a second factor where there is one. A new sign-in is such a proof.
    if (!isSteppedUp(caller.actor, now)) throw stepUpRequired(account)
    if (hasSecondFactor(account)) return caller
    const since = secondsAfter(now, -STEP_UP_SECONDS)
    // NaN without a step-up, for which every comparison is false.
    const steppedUpAt = Date.parse((await given.sessions.get(sessionId))?.steppedUpAt ?? '')
    // The token in hand must be of that step-up, too: an older one may have been copied before it.
    const isOfStepUp = authTimeSeconds >= Math.floor(steppedUpAt / 1000)
    const isRecent = steppedUpAt >= since.getTime()
    if (!isRecent || !isOfStepUp) throw stepUpRequired(account)
    return caller
  },
}
