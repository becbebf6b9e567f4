import type { NOTIFICATIONS, NotificationName } from '../recipients.ts'

/** One notification in one language. */
type Sentences = { title: string; text: string }

type FactOf<Name extends NotificationName> = (typeof NOTIFICATIONS)[Name]['facts'][number]

/** The sentences of every notification in one language; each fact is given as the language writes it. */
export type NotificationWords = {
  [Name in NotificationName]: [FactOf<Name>] extends [never]
    ? Sentences
    : (facts: Record<FactOf<Name>, string>) => Sentences
}
