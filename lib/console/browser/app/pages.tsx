import type { ComponentType } from 'preact'
import { EventPage } from '../events/event-page.tsx'
import { EventsPage } from '../events/events-page.tsx'
import { HomePage } from '../home/home-page.tsx'
import { IdentitiesPage } from '../identities/identities-page.tsx'
import { IdentityPage } from '../identities/identity-page.tsx'
import { JournalPage } from '../journal/journal-page.tsx'
import { AgentAccountPage } from '../ledger/agent-account-page.tsx'
import { LedgerPage } from '../ledger/ledger-page.tsx'
import { ListingPage } from '../listings/listing-page.tsx'
import { ListingsPage } from '../listings/listings-page.tsx'
import { MailsPage } from '../mails/mails-page.tsx'
import { CallbackPage } from '../payments/callback-page.tsx'
import { CallbacksPage } from '../payments/callbacks-page.tsx'
import { PaymentPage } from '../payments/payment-page.tsx'
import { PaymentsPage } from '../payments/payments-page.tsx'
import { PayoutPage } from '../payouts/payout-page.tsx'
import { PayoutsPage } from '../payouts/payouts-page.tsx'
import { PeoplePage } from '../people/people-page.tsx'
import { PersonPage } from '../people/person-page.tsx'
import { EnquiriesPage } from '../reports/enquiries-page.tsx'
import { EnquiryPage } from '../reports/enquiry-page.tsx'
import { ReportedListingPage } from '../reports/reported-listing-page.tsx'
import { ReportsPage } from '../reports/reports-page.tsx'
import { WebhookPage } from '../webhooks/webhook-page.tsx'
import { WebhooksPage } from '../webhooks/webhooks-page.tsx'
import { words } from '../words/words.ts'

/** A page of the console. `List` shows its list, `One` an item of the list, and `key` leads there after `g`. */
type Page = {
  title: string
  key: string
  List: ComponentType
  One?: ComponentType<{ id: string }>
}

/** Every page by its name in the address, in the order of the menu. */
export const pages: Readonly<Record<string, Page>> = {
  home: { title: words.nav.home, key: 'h', List: HomePage },
  identities: { title: words.nav.identities, key: 'i', List: IdentitiesPage, One: IdentityPage },
  listings: { title: words.nav.listings, key: 'l', List: ListingsPage, One: ListingPage },
  reports: { title: words.nav.reports, key: 'r', List: ReportsPage, One: ReportedListingPage },
  enquiries: { title: words.nav.enquiries, key: 'e', List: EnquiriesPage, One: EnquiryPage },
  payments: { title: words.nav.payments, key: 'p', List: PaymentsPage, One: PaymentPage },
  callbacks: { title: words.nav.callbacks, key: 'c', List: CallbacksPage, One: CallbackPage },
  payouts: { title: words.nav.payouts, key: 'o', List: PayoutsPage, One: PayoutPage },
  ledger: { title: words.nav.ledger, key: 'b', List: LedgerPage, One: AgentAccountPage },
  people: { title: words.nav.people, key: 'u', List: PeoplePage, One: PersonPage },
  mails: { title: words.nav.mails, key: 'm', List: MailsPage },
  webhooks: { title: words.nav.webhooks, key: 'w', List: WebhooksPage, One: WebhookPage },
  journal: { title: words.nav.journal, key: 'j', List: JournalPage },
  events: { title: words.nav.events, key: 'v', List: EventsPage, One: EventPage },
}
