import type { AccountStore } from '#lib/accounts/account-store'
import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type CloseDeps, closed } from './close-request.ts'
import { type PaymentRequest, statusOf } from './payment-request.ts'
import { requestsOf } from './requests-of.ts'

const WIDTH = 10

/** Cancels the OPEN payment requests of a person who is banned. Safe to repeat. */
export async function cancelRequestsOfBanned(
  deps: CloseDeps & { accounts: Pick<AccountStore, 'get'> },
  userId: UserId,
): Promise<void> {
  const account = await deps.accounts.get(userId)
  if (account?.status === 'BANNED') await cancelAllRequests(deps, userId)
}

/** Cancels the OPEN payment requests of a person whose account has ended, and erases what they wrote in any. */
export async function eraseRequests(deps: CloseDeps, userId: UserId): Promise<void> {
  await cancelAllRequests(deps, userId)
  const sent = (await requestsOf(deps, userId)).filter(({ ownerId }) => ownerId === userId)
  await inParallel(sent, WIDTH, (request) => eraseNote(deps, request))
}

async function cancelAllRequests(deps: CloseDeps, userId: UserId): Promise<void> {
  await inParallel(await requestsOf(deps, userId), WIDTH, (request) => cancel(deps, request))
}

/** One with a payment under way stays: it is cancelled by nobody until the payment has ended. */
const cancel = (deps: CloseDeps, found: PaymentRequest): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const request = isRetry ? await deps.requests.get(found.id) : found
    if (!request || request.underway !== null || statusOf(request, deps.now()) !== 'OPEN') return
    await deps.requests.commit(closed(deps, request, 'CANCELLED').writes)
  })

const eraseNote = ({ requests }: CloseDeps, found: PaymentRequest): Promise<void> =>
  retryConflicts(async () => {
    const request = await requests.get(found.id)
    if (!request || request.note === null) return
    await requests.commit(requests.replace(request, { ...request, note: null, version: request.version + 1 }))
  })
