import type { DocumentId, DocumentLinksId, EventId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A decision about a person, in the account's partition; decisions sort by age. */
export const decisionKey = (userId: UserId, decisionId: EventId): Key => ({
  pk: `USER#${userId}`,
  sk: `KYC#${decisionId}`,
})

/** All decisions about a person. */
export const decisionQuery = (userId: UserId) => ({ partition: `USER#${userId}`, beginsWith: 'KYC#' })

/** A document of a person, in the account's partition; documents sort by age. */
export const documentKey = (userId: UserId, documentId: DocumentId): Key => ({
  pk: `USER#${userId}`,
  sk: `DOCUMENT#${documentId}`,
})

/** The index entry by which a document's id leads to its person. */
export const documentOwnerIndex = (id: DocumentId, userId: UserId) => ({
  gsi2pk: documentOwnerQuery(id).partition,
  gsi2sk: userId,
})

/** The person whose document has this id. */
export const documentOwnerQuery = (id: DocumentId) => ({
  partition: `DOCUMENT#${id}`,
  index: 'gsi2' as const,
})

/** All documents of a person. */
export const documentQuery = (userId: UserId) => ({ partition: `USER#${userId}`, beginsWith: 'DOCUMENT#' })

/** A record of links to a person's documents, made each time that an administrator is given some. */
export const documentLinksKey = (userId: UserId, id: DocumentLinksId): Key => ({
  pk: `USER#${userId}`,
  sk: `LINKS#${id}`,
})

/** All records of links to a person's documents. */
export const documentLinksQuery = (userId: UserId) => ({ partition: `USER#${userId}`, beginsWith: 'LINKS#' })

/** The object key of a document. */
export const documentObjectKey = (userId: UserId, documentId: DocumentId): string =>
  `${documentObjectPrefix(userId)}${documentId}`

/** The prefix of the object keys of a person's documents. */
export const documentObjectPrefix = (userId: UserId): string => `documents/${userId}/`

/** A verification that ends: found by the day it ends on, removed once it has. */
export const kycExpiryKey = (userId: UserId, expiresAt: string): Key => ({
  pk: kycExpiryPartition(expiresAt),
  sk: `${expiresAt}#${userId}`,
})

/** Marks in the account's partition that an end of the verification was announced. */
export const kycAnnouncedKey = (userId: UserId, expiresAt: string): Key => ({
  pk: `USER#${userId}`,
  sk: `KYC-EXPIRING#${expiresAt}`,
})

/** Everything that ends on the day of a moment. */
export const kycExpiryPartition = (moment: string): string => `KYC-EXPIRY#${moment.slice(0, 10)}`
