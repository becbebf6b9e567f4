import { beforeAll, describe, expect, it } from 'vitest'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getHistory } from '#functions/listings/get-listing-history'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { timestamp } from '#lib/kernel/clock'
import { ListingStatus } from '#lib/listings/listing'
import { call, problemOf } from '#test/support/call'
import { aProvenUser, aVerifiedAgent, consoleToken } from '#test/support/given'
import { aListing, aMedia, COMPLETE, listingOf } from '#test/support/listings'

/** What can be done to a listing, by whom it may be done, and where it leads from each status. */
const ACTS = {
  read: { spec: getListing, request: {}, by: 'read' },
  history: { spec: getHistory, request: {}, by: 'look back' },
  edit: { spec: editListing, request: { body: { features: ['garden'] } }, by: 'owner' },
  submit: { spec: submitListing, request: {}, by: 'owner' },
  archive: { spec: archiveListing, request: {}, by: 'owner' },
  publish: { spec: moderateListing, request: { body: { status: 'PUBLISHED' } }, by: 'administrator' },
  reject: {
    spec: moderateListing,
    request: { body: { status: 'REJECTED', reasons: ['other'] } },
    by: 'administrator',
  },
  suspend: {
    spec: moderateListing,
    request: { body: { status: 'SUSPENDED', reasons: ['other'] } },
    by: 'administrator',
  },
} as const
type Act = keyof typeof ACTS

/** From each status, where each act leads; `!` is refused with 409. */
const LEADS: Record<ListingStatus, Record<Exclude<Act, 'read' | 'history'>, ListingStatus | '!'>> = {
  // biome-ignore format: a table reads better as one
  DRAFT:          { edit: 'DRAFT',          submit: 'PENDING_REVIEW', archive: 'ARCHIVED', publish: '!',         reject: '!',        suspend: '!' },
  // biome-ignore format: a table reads better as one
  PENDING_REVIEW: { edit: 'PENDING_REVIEW', submit: 'PENDING_REVIEW', archive: 'ARCHIVED', publish: 'PUBLISHED', reject: 'REJECTED', suspend: '!' },
  // biome-ignore format: a table reads better as one
  PUBLISHED:      { edit: 'PUBLISHED',      submit: '!',              archive: 'ARCHIVED', publish: 'PUBLISHED', reject: '!',        suspend: 'SUSPENDED' },
  // biome-ignore format: a table reads better as one
  REJECTED:       { edit: 'REJECTED',       submit: 'PENDING_REVIEW', archive: 'ARCHIVED', publish: '!',         reject: 'REJECTED', suspend: '!' },
  // biome-ignore format: a table reads better as one
  SUSPENDED:      { edit: 'SUSPENDED',      submit: '!',              archive: 'ARCHIVED', publish: 'PUBLISHED', reject: 'REJECTED', suspend: 'SUSPENDED' },
  // biome-ignore format: a table reads better as one
  ARCHIVED:       { edit: '!',              submit: '!',              archive: 'ARCHIVED', publish: '!',         reject: '!',        suspend: '!' },
}

const ROLES = ['nobody', 'a user', 'another agent', 'owner', 'administrator'] as const
type Role = (typeof ROLES)[number]

let agentId: string
let tokens: Record<Role, string | undefined>

beforeAll(async () => {
  const [owner, user, other] = await Promise.all([aVerifiedAgent(), aProvenUser(), aVerifiedAgent()])
  agentId = owner.id
  tokens = {
    nobody: undefined,
    'a user': user.token,
    'another agent': other.token,
    owner: owner.token,
    administrator: await consoleToken(),
  }
})

const aListingThatIs = (status: ListingStatus) =>
  aListing(agentId, {
    ...COMPLETE,
    media: [aMedia()],
    status,
    publishedAt: status === 'PUBLISHED' || status === 'SUSPENDED' ? timestamp(new Date(0)) : null,
  })

/** What an act of a role is answered with: the status code, and where the listing then is. */
function expected(status: ListingStatus, act: Act, role: Role): { code: number; to: ListingStatus } {
  const refused = refusal(status, act, role)
  if (refused !== undefined) return { code: refused, to: status }
  if (act === 'read' || act === 'history') return { code: 200, to: status }
  const to = LEADS[status][act]
  if (to === '!') return { code: 409, to: status }
  return { code: act === 'archive' ? 204 : 200, to }
}

/** Why a role may not: another's listing is not there, unless everyone may see it. */
function refusal(status: ListingStatus, act: Act, role: Role): number | undefined {
  const isSeen = status === 'PUBLISHED'
  const isConcerned = role === 'owner' || role === 'administrator'
  const { by } = ACTS[act]
  if (by === 'read') return isConcerned || isSeen ? undefined : 404
  if (role === 'nobody') return 401
  if (by === 'administrator') return role === by ? undefined : 403
  if (by === 'owner' && role === 'administrator') return 403
  if (isConcerned) return undefined
  return isSeen ? 403 : 404
}

describe.each(ListingStatus.options)('a listing that is %s', (status) => {
  describe.each(Object.keys(ACTS) as Act[])('%s', (act) => {
    it.each(ROLES.map((role) => ({ role, ...expected(status, act, role) })))(
      'by $role: $code, and it is $to',
      async ({ role, code, to }) => {
        const id = await aListingThatIs(status)
        const { spec, request } = ACTS[act]
        const answer = await call(spec, { params: { id }, token: tokens[role], ...request })
        expect(answer.status, answer.text).toBe(code)
        if (code === 409) {
          expect(problemOf(answer).code).toBe('listing_transition_not_allowed')
          expect(answer.body).toMatchObject({ from: status, allowed: expect.any(Array) })
        }
        expect((await listingOf(id))?.status).toBe(to)
      },
    )
  })
})
