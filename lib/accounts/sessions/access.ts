import type { User } from '#lib/accounts/access'
import { type Account, hasSecondFactor, stepUpMethods } from '#lib/accounts/account'
import type { Resolved } from '#lib/config/config'
import type { Access, Caller } from '#lib/http/access'
import type { HttpEvent } from '#lib/http/request'
import { clock } from '#lib/http/runtime'
import { tokenVerifier, type VerifyToken } from '#lib/http/tokens'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { MINUTE_SECONDS } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { Session } from './session.ts'
import { sessionReader } from './session-store.dynamo.ts'

const deps = {
  tokens: tokenVerifier,
  sessions: sessionReader,
  now: clock,
}
type Deps = Resolved<typeof deps>

/** The time for which a step-up allows what a stolen session alone must not allow. */
const STEPPED_UP_SECONDS = 15 * MINUTE_SECONDS

/** Requires that users proved who they are in the last 15 minutes, by a second factor if they have one. */
export const steppedUp = (access: Access<User>): Access<User> => withStepUp(access, 'stepped up', isSteppedUp)

/** Requires a step-up only of users who have a second factor. */
export const steppedUpWithFactor = (access: Access<User>): Access<User> =>
  withStepUp(
    access,
    'stepped up with a second factor',
    (user, session, now) => !hasSecondFactor(user.account) || isSteppedUp(user, session, now),
  )

/**
 * Requires a step-up for adding a second factor. The first factor needs a password step-up even after a recent sign-in, so
 * that a stolen session cannot lock its owner out.
 */
export const steppedUpForFactor = (access: Access<User>): Access<User> =>
  withStepUp(
    access,
    'stepped up for a factor',
    (user, session, now) =>
      isSteppedUp(user, session, now) &&
      (hasSecondFactor(user.account) || hasGivenPassword(user, session, now)),
  )

type Condition = (user: User, session: Session | undefined, now: Date) => boolean

const withStepUp = (access: Access<User>, name: string, isMet: Condition): Access<User> => ({
  ...access,
  name: `${access.name}, ${name}`,
  problems: [...access.problems, 'step_up_required'],
  deps: { ...access.deps, ...deps },
  check: async (event, given: Deps) => {
    const { caller, session } = await callerWithSession(access, event, given)
    if (!isMet(caller.actor, session, given.now())) throw stepUpRequired(caller.actor.account)
    return caller
  },
})

/** Checks a caller, and reads their session while `access` reads the account. */
async function callerWithSession(
  access: Access<User>,
  event: HttpEvent,
  given: Deps,
): Promise<{ caller: Caller<User>; session: Session | undefined }> {
  let reading: Promise<Session | undefined> | undefined
  const tokens: VerifyToken = async (token, now) => {
    const credential = await given.tokens(token, now)
    if (credential.kind === 'user') reading = beginAhead(given.sessions.get(credential.sessionId))
    return credential
  }
  // The type of an access does not name the dependencies of its check: hence the cast.
  const caller = await access.check(event, { ...given, tokens })
  return { caller, session: await reading }
}

/** Whether a user proved who they are in the last 15 minutes, with a second factor if they have one. */
const isSteppedUp: Condition = (user, session, now) =>
  now.getTime() / 1000 - user.authTimeSeconds <= STEPPED_UP_SECONDS &&
  (!hasSecondFactor(user.account) || (user.amr.includes('mfa') && isOfPresentFactors(user, session)))

/** Whether the session's last proof was made with the account's present factors. */
const isOfPresentFactors = ({ account }: User, session: Session | undefined): boolean =>
  session?.factorsRevision === account.factors.revision

/** Whether a user without a second factor stepped up, and so gave the password, in the last 15 minutes. */
const hasGivenPassword: Condition = (user, session, now) => {
  // NaN without a step-up, for which every comparison is false.
  const steppedUpAtSeconds = Date.parse(session?.steppedUpAt ?? '') / 1000
  const isRecent = now.getTime() / 1000 - steppedUpAtSeconds <= STEPPED_UP_SECONDS
  // The token in hand must be of that step-up, too: an older one may have been copied before it.
  const isOfStepUp = user.authTimeSeconds >= Math.floor(steppedUpAtSeconds)
  return isRecent && isOfStepUp && isOfPresentFactors(user, session)
}

/** Returns the refusal, which names the methods that `POST /auth/step-up` accepts of this account. */
const stepUpRequired = (account: Account): DomainError =>
  new DomainError('step_up_required', {
    detail: 'Prove who you are with POST /auth/step-up, then ask again with the token that it answers',
    extensions: { methods: stepUpMethods(account) },
  })
