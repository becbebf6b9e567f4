import type { AccountReader } from '#lib/accounts/account-store'
import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { seriesEndWrites } from './cancel-request.ts'
import { type EndRequestDeps, endingOf } from './end-request.ts'
import { type PaymentRequest, processingOf, requestStatusOf } from './payment-request.ts'
import type { RequestStore } from './request-store.ts'
import { requestsOf } from './requests-of.ts'

type CancelDeps = EndRequestDeps & {
  requests: RequestStore
}

/** Cancels the OPEN payment requests that a banned person sent or received. Safe to repeat. */
export async function cancelRequestsOfBanned(
  deps: CancelDeps & { accounts: AccountReader },
  userId: UserId,
): Promise<void> {
  const account = await deps.accounts.get(userId)
  if (account?.status === 'BANNED') await cancelAllRequests(deps, userId)
}

/** Cancels the OPEN payment requests of a person whose account has ended, and erases the notes that they wrote. */
export async function eraseRequests(deps: CancelDeps, userId: UserId): Promise<void> {
  await cancelAllRequests(deps, userId)
  const sent = (await requestsOf(deps, userId)).filter(({ ownerId }) => ownerId === userId)
  await inParallel(sent, (request) => eraseNote(deps, request))
}

async function cancelAllRequests(deps: CancelDeps, userId: UserId): Promise<void> {
  const requests = await requestsOf(deps, userId)
  await inParallel(requests, (request) => cancel(deps, request))
  const series = new Set(requests.flatMap(({ seriesId }) => seriesId ?? []))
  await inParallel([...series], (seriesId) =>
    retryConflicts(async () => {
      const writes = await seriesEndWrites(deps, { seriesId })
      if (writes.length > 0) await deps.requests.commit(writes)
    }),
  )
}

/** Cancels a request unless a payment of it is PROCESSING. The reconciliation closes the page of a PENDING payment. */
const cancel = (deps: CancelDeps, found: PaymentRequest): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const request = isRetry ? await deps.requests.get(found.id) : found
    if (!request || processingOf(request) || requestStatusOf(request, deps.now()) !== 'OPEN') return
    const { writes } = await endingOf(deps, request, 'CANCELLED', 'system')
    await deps.requests.commit(writes)
  })

const eraseNote = ({ requests }: Pick<CancelDeps, 'requests'>, found: PaymentRequest): Promise<void> =>
  retryConflicts(async () => {
    const request = await requests.get(found.id)
    if (!request || request.note === null) return
    await requests.commit(requests.replace(request, { ...request, note: null, version: request.version + 1 }))
  })
