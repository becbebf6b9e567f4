import { shardedKey } from '#lib/dynamo/lists'
import type { Timestamp } from '#lib/kernel/clock'
import { type EnquiryId, fingerprintOf, type ListingId, type MessageId, type UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/**
 * The record of an enquiry. The key holds only the part of the id that is derived from listing and customer: a second
 * enquiry of the two would have the same key.
 */
export const enquiryKey = (id: EnquiryId): Key => ({ pk: enquiryPartition(id), sk: 'ENQUIRY' })

/** An agent's statistics of answers, counted once an hour. */
export const answersKey = (agentId: UserId): Key => ({ pk: `AGENT#${agentId}`, sk: 'ANSWERS' })

/** A message of an enquiry, in the enquiry's partition; messages sort by age. */
export const messageKey = (id: EnquiryId, messageId: MessageId): Key => ({
  pk: enquiryPartition(id),
  sk: `MESSAGE#${messageId}`,
})

/** The index entry that finds a message's enquiry by the message's id. */
export const messageIndex = (messageId: MessageId, id: EnquiryId) => ({
  gsi2pk: messageQuery(messageId).partition,
  gsi2sk: id,
})

/** The query for that entry. */
export const messageQuery = (messageId: MessageId) => ({
  partition: `MESSAGE#${messageId}`,
  index: 'gsi2' as const,
})

/** All messages of an enquiry. */
export const messagesQuery = (id: EnquiryId) => ({ partition: enquiryPartition(id), beginsWith: 'MESSAGE#' })

const enquiryPartition = (id: EnquiryId): string => `ENQUIRY#${fingerprintOf(id)}`

/** The positions of an enquiry in the lists of its agent and its customer. */
export const enquiryIndexes = (
  agentId: UserId,
  customerId: UserId,
  lastMessageAt: Timestamp,
  id: EnquiryId,
) => ({
  gsi1pk: receivedQuery(agentId).partition,
  gsi1sk: `${lastMessageAt}#${id}`,
  gsi2pk: sentQuery(customerId).partition,
  gsi2sk: `${lastMessageAt}#${id}`,
})

/** All enquiries that an agent received. */
export const receivedQuery = (agentId: UserId) => ({
  partition: `AGENT#${agentId}#ENQUIRIES`,
  index: 'gsi1' as const,
})

/** All enquiries that a customer sent. */
export const sentQuery = (customerId: UserId) => ({
  partition: `CUSTOMER#${customerId}#ENQUIRIES`,
  index: 'gsi2' as const,
})

/** The entry of an enquiry in the list of its listing. It is no index entry: an index may lack the newest enquiries. */
export const listingEnquiryKey = (listingId: ListingId, id: EnquiryId): Key => ({
  pk: `LISTING-ENQUIRIES#${listingId}`,
  sk: id,
})

/** All enquiries about a listing, oldest first. */
export const listingEnquiriesQuery = (listingId: ListingId) => ({
  partition: `LISTING-ENQUIRIES#${listingId}`,
})

/** The beginning of the partitions that list the enquiries with open reports. */
export const reportedPartition = (): string => 'ENQUIRIES-REPORTED'

/** The position of an enquiry in that list, longest waiting first. */
export const reportedKey = (firstAt: Timestamp, id: EnquiryId): Key =>
  shardedKey(reportedPartition(), `${firstAt}#${id}`)
