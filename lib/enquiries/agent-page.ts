import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { getPublicAgent, PublicAgent } from '#lib/accounts/public-agent'
import { type Clock, DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { isOnline } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import type { AnswerCache } from './answer-cache.ts'
import { Answers, answersOf, DAYS_COUNTED } from './answers.ts'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryReader } from './enquiry-store.ts'

/** A verified agent's page: what they offer, and how they answer. The API's document names this `PublicAgent`. */
export const AgentPage = PublicAgent.extend({
  listingCount: z.int().meta({ description: 'Public listings', example: 12 }),
  answers: Answers.nullable().meta({
    description:
      'How the agent answered the enquiries of the last 90 days, at most an hour old; null if there are fewer than five',
  }),
}).meta({ id: 'PublicAgent' })

type Deps = {
  accounts: AccountReader
  listings: ListingReader
  enquiries: EnquiryReader
  answerCache: AnswerCache
  now: Clock
}

/** Returns the page of a verified agent. Throws `not_found` for anyone else. */
export async function getAgentPage(deps: Deps, userId: UserId): Promise<z.input<typeof AgentPage>> {
  const agent = await getPublicAgent(deps, userId)
  const [listingCount, answers] = await Promise.all([
    countOnline(deps.listings, userId),
    answersBy(deps, userId),
  ])
  return { ...agent, listingCount, answers }
}

async function countOnline(listings: Deps['listings'], userId: UserId): Promise<number> {
  const all = await allPages((after: ListingId | undefined) =>
    listings.byAgent(userId, { limit: PAGE_SIZE, after }),
  )
  return all.filter(isOnline).length
}

/** Returns the agent's statistics of answers. Statistics over more than one page of enquiries are cached for an hour. */
async function answersBy(
  { enquiries, answerCache, now }: Deps,
  userId: UserId,
): Promise<z.infer<typeof Answers> | null> {
  const since = timestamp(secondsAfter(now(), -DAYS_COUNTED * DAY_SECONDS))
  const read = async (after: string | undefined) => {
    const { items, next } = await enquiries.ofUser(userId, 'agent', { limit: PAGE_SIZE, after })
    const found = items.map(({ enquiry }) => enquiry)
    // Enquiries come by their newest message, newest first. The ones behind an enquiry older than `since` are older.
    const isEnd = found.some(({ lastMessageAt }) => lastMessageAt < since)
    return { items: found, next: isEnd ? undefined : next }
  }
  const answersSince = (found: readonly Enquiry[]) =>
    answersOf(
      found.filter(({ createdAt }) => createdAt >= since),
      now(),
    )
  const first = await read(undefined)
  if (first.next === undefined) return answersSince(first.items)
  const cached = await answerCache.get(userId, now())
  if (cached) return cached.answers
  // The first page is read already: the others begin after it.
  const others = await allPages((after: string | undefined) => read(after ?? first.next))
  const answers = answersSince([...first.items, ...others])
  await answerCache.put(userId, answers, now())
  return answers
}
