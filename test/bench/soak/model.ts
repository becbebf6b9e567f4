import type { Caller } from './client.ts'

/** What is known to have been done: what the service must show in the end. */
export type Model = {
  people: Person[]
  agents: Agent[]
  listings: ModelListing[]
  enquiries: ModelEnquiry[]
  payments: ModelPayment[]
  favourites: Map<Person, Set<ModelListing>>
}

export type Person = Caller & { id: string; email: string }
export type Agent = Person & { listings: ModelListing[] }
export type ModelListing = {
  id: string
  agent: Agent
  status: 'DRAFT' | 'PENDING_REVIEW' | 'PUBLISHED' | 'REJECTED' | 'ARCHIVED'
  /** How many are about to do something with it. */
  users: number
}
export type ModelEnquiry = {
  id: string
  listing: ModelListing
  customer: Person
  messages: number
}
export type ModelPayment = { id: string; listing: ModelListing; page: string }

export const openModel = (): Model => ({
  people: [],
  agents: [],
  listings: [],
  enquiries: [],
  payments: [],
  favourites: new Map(),
})
