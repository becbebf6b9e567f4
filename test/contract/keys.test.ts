import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const LIB = new URL('../../lib/', import.meta.url)

/** Each argument of a key, by an example, and what else it could be. */
const ARGUMENTS = {
  user: ['usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('usr')],
  session: ['ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('ses')],
  event: ['evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('evt')],
  inbox: ['inb_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('inb')],
  mail: ['mai_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('mai')],
  statusDecision: ['std_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('std')],
  documentLinks: ['lnk_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('lnk')],
  searchEntry: ['sea_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('sea')],
  export: ['exp_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('exp')],
  listing: ['lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('lst')],
  media: ['med_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('med')],
  refund: ['rfd_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('rfd')],
  payment: ['pay_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('pay')],
  document: ['doc_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('doc')],
  notification: ['ntf_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('ntf')],
  webhook: ['whk_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('whk')],
  delivery: ['dlv_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('dlv')],
  action: ['act_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('act')],
  enquiry: ['enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('enq')],
  message: ['msg_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('msg')],
  row: [2, fc.nat({ max: 3 })],
  seconds: [1_800_000_000, fc.nat({ max: 4_000_000_000 })],
  paymentRequest: ['prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('prq')],
  email: ['awa@example.com', fc.emailAddress()],
  list: ['WAITING', fc.constantFrom('ALL', 'BANNED', 'WAITING', 'PENDING', 'VERIFIED')],
  order: ['2027-01-31T12:00:00.000Z#usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', id('usr')],
  caller: [
    'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    fc.oneof(
      id('usr'),
      fc.string().map((subject) => `admin:${subject}`),
    ),
  ],
  key: ['any key', fc.string({ unit: fc.constantFrom(...'#\'"aZ0 ~!') })],
  moment: [
    '2027-01-31T12:00:00.000Z',
    fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ],
  provider: ['stripe', fc.stringMatching(/^[a-z]+(-[a-z]+)*$/)],
  reference: ['pi_3Nx', fc.string()],
  version: [7, fc.nat({ max: 99_999_999 })],
  object: ['charge:ch_1', fc.stringMatching(/^(charge|refund|dispute|fee):[\w-]+$/)],
  minute: [
    '2027-01-31T12:00',
    fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 16)),
  ],
  original: [
    { listingId: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND', mediaId: 'med_01KAH3M6XQ8ZJ4T2V7W9C5RBND' },
    fc.record({ listingId: id('lst'), mediaId: id('med') }),
  ],
  variant: [
    {
      listingId: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      mediaId: 'med_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      hash: 'U-yDYLLu-N80TCc32f_aAp',
      agentId: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    },
    fc.record({
      listingId: id('lst'),
      mediaId: id('med'),
      hash: fc.stringMatching(/^[\w-]{22}$/),
      agentId: id('usr'),
    }),
  ],
  sort: ['newest', fc.constantFrom('newest', 'price-XOF', 'price-desc-XOF')],
  listed: [
    { sort: 'newest', country: 'CI', city: undefined, offer: 'rent', category: 'house', bedrooms: 2 },
    fc.record({
      sort: fc.constantFrom('newest', 'price-XOF', 'price-desc-XOF'),
      country: fc.constantFrom('CI', 'CD', undefined),
      city: fc.option(fc.string({ unit: fc.constantFrom('*', '~', '#', 'a', 'é') }), { nil: undefined }),
      offer: fc.constantFrom('rent', 'sale'),
      category: fc.constantFrom('house', 'land', undefined),
      bedrooms: fc.nat({ max: 100 }),
    }),
  ],
  placed: [
    { offer: 'rent', category: undefined, bedrooms: 2 },
    fc.record({
      offer: fc.constantFrom('rent', 'sale', undefined),
      category: fc.constantFrom('house', 'land', undefined),
      bedrooms: fc.nat({ max: 100 }),
    }),
  ],
  digits: ['1230123012301230', fc.stringMatching(/^[0-3]{16}$/)],
  point: [{ lat: 5.3261, lng: -4.0197 }, fc.record({ lat: aNumber(90), lng: aNumber(180) })],
  amount: [150_000, fc.integer({ min: 1, max: 10 ** 15 })],
  partition: [
    'SEARCH#<any of those>',
    fc.constantFrom('SEARCH#newest#CI~*#rent#house#2#0', 'SEARCH#near#rent#*#2#1230'),
  ],
  place: ['<any of those>', aPlace()],
  near: [
    '1230123012301230#5.3261,-4.0197#lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND#sea_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    aPlace(),
  ],
} as const satisfies Record<string, readonly [unknown, fc.Arbitrary<unknown>]>

/** What every export of every `*.keys.ts` takes. */
const KEYS: Record<string, readonly (keyof typeof ARGUMENTS)[]> = {
  accountKey: ['user'],
  standingKey: ['user'],
  deletionKey: ['user'],
  takeBackKey: ['user'],
  statusDecisionKey: ['user', 'statusDecision'],
  statusDecisionQuery: ['user'],
  throttleKey: ['key', 'moment'],
  mailRequestKey: ['mail'],
  mailAgainKey: ['mail'],
  mailDueList: [],
  mailDueKey: ['moment', 'mail'],
  mailUnsentList: [],
  mailUnsentKey: ['moment', 'mail'],
  reportsPartition: ['listing'],
  listingReportsKey: ['listing'],
  listingReportKey: ['listing', 'moment'],
  listingReportRange: ['moment', 'moment'],
  listingReporterKey: ['listing', 'key'],
  reportsByIndex: ['user', 'moment', 'listing'],
  reportsByQuery: ['user'],
  reportedAgentIndex: ['user', 'moment', 'listing'],
  reportedAgentQuery: ['user'],
  reportedListings: [],
  reportedListingKey: ['moment', 'listing'],
  inboxKey: ['user'],
  inboxPartition: ['user'],
  inboxItemKey: ['user', 'key'],
  noticeKey: ['user', 'inbox'],
  noticeRange: ['inbox'],
  toldKey: ['user', 'event'],
  enquiryMailKey: ['user', 'enquiry'],
  mailedLinkKey: ['mail'],
  userLinksEntry: ['user', 'mail'],
  userLinksQuery: ['user'],
  directoryPartition: ['list'],
  directoryKey: ['list', 'order'],
  emailKey: ['email'],
  sessionKey: ['session'],
  idempotencyKey: ['caller', 'key'],
  idempotencyPartition: ['caller'],
  progressKey: ['list'],
  eventKey: ['event'],
  subjectEventsEntry: ['user', 'event'],
  subjectEventsPartition: ['user'],
  actionKey: ['action'],
  actionIndexes: ['user', 'caller', 'action'],
  actionsOfPartition: ['user'],
  actionsByPartition: ['caller'],
  claimKey: ['user'],
  overviewShareKey: ['user'],
  overviewCounterKey: ['list', 'row'],
  overviewPartitions: [],
  paymentsCounter: ['moment', 'list', 'list'],
  signUpsCounter: ['moment'],
  waitingCounter: ['list'],
  countersSince: ['moment'],
  overviewWaitingPartition: ['list'],
  overviewWaitingKey: ['list', 'moment', 'user'],
  webhookKey: ['webhook'],
  deliveryKey: ['webhook', 'delivery'],
  deliveriesPartition: ['webhook'],
  orderedKey: ['webhook', 'event'],
  dueDeliveryKey: ['webhook', 'moment', 'delivery'],
  dueDeliveriesPartition: ['webhook'],
  decisionKey: ['user', 'event'],
  decisionQuery: ['user'],
  documentKey: ['user', 'document'],
  documentQuery: ['user'],
  documentOwnerIndex: ['document', 'user'],
  documentOwnerQuery: ['document'],
  documentLinksKey: ['user', 'documentLinks'],
  documentLinksQuery: ['user'],
  documentObjectKey: ['user', 'document'],
  documentObjectPrefix: ['user'],
  exportObjectKey: ['user', 'export'],
  exportObjectPrefix: ['user'],
  kycExpiryKey: ['user', 'moment'],
  kycExpiryPartition: ['moment'],
  listingKey: ['listing'],
  listingMoveKey: ['listing', 'event'],
  listingMovesQuery: ['listing'],
  agentListingIndex: ['user', 'listing'],
  agentListingQuery: ['user'],
  originalKey: ['original'],
  variantKey: ['variant'],
  publicPath: ['variant'],
  publicKey: ['variant'],
  publicPrefix: ['user', 'listing'],
  variantPrefixes: ['user', 'original'],
  waitingMediaKey: ['original', 'moment'],
  waitingMediaPartition: ['moment'],
  enquiryKey: ['enquiry'],
  messageKey: ['enquiry', 'message'],
  messagesQuery: ['enquiry'],
  messageIndex: ['message', 'enquiry'],
  messageQuery: ['message'],
  enquiryIndexes: ['user', 'user', 'moment', 'enquiry'],
  receivedQuery: ['user'],
  sentQuery: ['user'],
  listingEnquiryKey: ['listing', 'enquiry'],
  listingEnquiriesQuery: ['listing'],
  reportedPartition: [],
  reportedKey: ['moment', 'enquiry'],
  quotaKey: ['key', 'key', 'seconds'],
  paymentKey: ['payment'],
  moveKey: ['payment', 'version'],
  userPaymentsEntry: ['user', 'payment'],
  userPaymentsQuery: ['user'],
  postingKey: ['payment', 'version', 'object'],
  postingQuery: ['payment'],
  paymentListPartition: ['list'],
  paymentListKey: ['list', 'payment'],
  paymentDuePartition: [],
  paymentDueKey: ['moment', 'payment'],
  auditPartition: [],
  auditKey: ['payment'],
  patienceKey: ['provider'],
  budgetKey: ['provider', 'minute'],
  openPaymentsKey: ['user'],
  holdKey: ['listing'],
  paymentRequestKey: ['paymentRequest'],
  paymentRequestIndexes: ['user', 'user', 'paymentRequest'],
  sentRequestsQuery: ['user'],
  receivedRequestsQuery: ['user'],
  requestDuePartition: [],
  requestDueKey: ['moment', 'paymentRequest'],
  referencedIndex: ['reference', 'payment'],
  referencedQuery: ['reference'],
  refundKey: ['refund'],
  notificationKey: ['notification'],
  paymentNotificationsEntry: ['payment', 'notification'],
  paymentNotificationsQuery: ['payment'],
  notificationListPartition: ['list'],
  notificationListKey: ['list', 'notification'],
  referenceKey: ['provider', 'reference'],
  waitingKey: ['provider', 'reference', 'notification'],
  waitingQuery: ['provider', 'reference'],
  listingCountsKey: ['user'],
  mediaListingKey: ['media'],
  availabilityCallsKey: ['listing'],
  queueIndex: ['list', 'moment', 'listing'],
  queuePartitions: ['list'],
  searchWritingKey: ['listing', 'searchEntry'],
  searchWritingsQuery: ['listing'],
  orderedPartitions: ['listed'],
  orderedPartitionOf: ['listed', 'listing'],
  agentPartition: ['user', 'sort'],
  placePartition: ['placed', 'digits'],
  newestOrder: ['moment', 'listing', 'searchEntry'],
  priceOrder: ['amount', 'listing', 'searchEntry'],
  risingPriceOrder: ['amount', 'listing', 'searchEntry'],
  placeOrder: ['digits', 'point', 'listing', 'searchEntry'],
  priceRange: ['amount', 'amount'],
  placeRange: ['digits', 'digits'],
  startOfCell: ['digits'],
  startOfPoint: ['near', 'listing'],
  searchKey: ['partition', 'place'],
}

/** What takes a key apart again. */
const READS = ['digitsOfOrder', 'pointOfOrder']

type Spelled = string | string[] | Record<string, string>
type Spell = (...values: unknown[]) => Spelled

let exported: [string, Spell][]
let spellers: Map<string, Spell>

beforeAll(async () => {
  const files = (await readdir(LIB, { recursive: true })).filter((file) => file.endsWith('.keys.ts')).sort()
  const modules = await Promise.all(files.map((file) => import(new URL(file, LIB).href)))
  exported = modules
    .flatMap((module) => Object.entries(module as Record<string, Spell>))
    .filter(([name, value]) => typeof value === 'function' && !READS.includes(name))
  spellers = new Map(exported.filter(([name]) => Object.hasOwn(KEYS, name)))
})

describe('the one table', () => {
  it('has this design', () => {
    const lines = [...spellers].map(([name, spell]) => {
      const spelled = spell(...(KEYS[name] ?? []).map((argument) => ARGUMENTS[argument][0]))
      return [name.padEnd(20), ...columnsOf(spelled).map((column) => column.padEnd(36))].join(' ').trim()
    })
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      accountKey           pk USER#<usr>                        sk ACCOUNT
      emailKey             pk EMAIL#<address>                   sk EMAIL
      sessionKey           pk SESSION#<ses>                     sk SESSION
      standingKey          pk USER#<usr>                        sk STANDING
      directoryPartition   USERS#<list>
      directoryKey         pk USERS#<list>#<shard>              sk <moment>#<usr>
      statusDecisionKey    pk USER#<usr>                        sk STATUS#<std>
      statusDecisionQuery  partition USER#<usr>                 beginsWith STATUS#
      mailedLinkKey        pk LINK#<mai>                        sk LINK
      userLinksEntry       gsi1pk USER#<usr>#LINKS              gsi1sk <mai>
      userLinksQuery       partition USER#<usr>#LINKS           index gsi1
      throttleKey          pk THROTTLE#<hash>                   sk <moment>
      overviewShareKey     pk OVERVIEW-SHARE#<usr>              sk SHARE
      overviewCounterKey   pk OVERVIEW#<shard>                  sk WAITING
      overviewPartitions   OVERVIEW#<shard>
      paymentsCounter      DAY#<moment>#PAYMENTS#WAITING#<list>
      signUpsCounter       DAY#<moment>#SIGN-UPS
      waitingCounter       NOW#<list>
      countersSince        DAY#<moment>                         NOW#~
      overviewWaitingPartition OVERVIEW-WAITING#<list>
      overviewWaitingKey   pk OVERVIEW-WAITING#<list>#<shard>   sk <moment>#<usr>
      claimKey             pk CLAIM#<usr>                       sk CLAIM
      idempotencyKey       pk IDEMPOTENCY#<hash>                sk <hash>
      idempotencyPartition IDEMPOTENCY#<hash>
      progressKey          pk PROGRESS#<list>                   sk PROGRESS
      quotaKey             pk QUOTA#<hash>                      sk any key#1800000000
      enquiryKey           pk ENQUIRY#<fingerprint>             sk ENQUIRY
      messageKey           pk ENQUIRY#<fingerprint>             sk MESSAGE#<msg>
      messageIndex         gsi2pk MESSAGE#<msg>                 gsi2sk <enq>
      messageQuery         partition MESSAGE#<msg>              index gsi2
      messagesQuery        partition ENQUIRY#<fingerprint>      beginsWith MESSAGE#
      enquiryIndexes       gsi1pk AGENT#<usr>#ENQUIRIES         gsi1sk <moment>#<enq>                gsi2pk CUSTOMER#<usr>#ENQUIRIES      gsi2sk <moment>#<enq>
      receivedQuery        partition AGENT#<usr>#ENQUIRIES      index gsi1
      sentQuery            partition CUSTOMER#<usr>#ENQUIRIES   index gsi2
      listingEnquiryKey    pk LISTING-ENQUIRIES#<lst>           sk <enq>
      listingEnquiriesQuery partition LISTING-ENQUIRIES#<lst>
      reportedPartition    ENQUIRIES-REPORTED
      reportedKey          pk ENQUIRIES-REPORTED#<shard>        sk <moment>#<enq>
      eventKey             pk EVENTS#<shard>                    sk <evt>
      subjectEventsEntry   gsi1pk EVENTS-OF#<usr>               gsi1sk <evt>
      subjectEventsPartition EVENTS-OF#<usr>
      actionKey            pk ACTIONS#<shard>                   sk <act>
      actionIndexes        gsi1pk ACTIONS-OF#<usr>              gsi1sk <act>                         gsi2pk ACTIONS-BY#<usr>              gsi2sk <act>
      actionsOfPartition   ACTIONS-OF#<usr>
      actionsByPartition   ACTIONS-BY#<usr>
      decisionKey          pk USER#<usr>                        sk KYC#<evt>
      decisionQuery        partition USER#<usr>                 beginsWith KYC#
      documentKey          pk USER#<usr>                        sk DOCUMENT#<doc>
      documentOwnerIndex   gsi2pk DOCUMENT#<doc>                gsi2sk <usr>
      documentOwnerQuery   partition DOCUMENT#<doc>             index gsi2
      documentQuery        partition USER#<usr>                 beginsWith DOCUMENT#
      documentLinksKey     pk USER#<usr>                        sk LINKS#<lnk>
      documentLinksQuery   partition USER#<usr>                 beginsWith LINKS#
      documentObjectKey    documents/<usr>/<doc>
      documentObjectPrefix documents/<usr>/
      kycExpiryKey         pk KYC-EXPIRY#<day>                  sk <moment>#<usr>
      kycExpiryPartition   KYC-EXPIRY#<day>
      listingKey           pk LISTING#<lst>                     sk LISTING
      listingMoveKey       pk LISTING#<lst>                     sk MOVE#<evt>
      listingMovesQuery    partition LISTING#<lst>              beginsWith MOVE#
      agentListingIndex    gsi1pk AGENT#<usr>                   gsi1sk LISTING#<lst>
      agentListingQuery    partition AGENT#<usr>                index gsi1
      queueIndex           gsi2pk LISTINGS#<list>#<shard>       gsi2sk <moment>#<lst>
      queuePartitions      LISTINGS#<list>#<shard>
      listingCountsKey     pk AGENT#<usr>                       sk LISTING-COUNTS
      mediaListingKey      pk MEDIA#<med>                       sk LISTING
      availabilityCallsKey pk LISTING#<lst>                     sk AVAILABILITY
      waitingMediaKey      pk MEDIA-WAITING#<day>               sk <moment>#<lst>#<med>
      waitingMediaPartition MEDIA-WAITING#<day>
      searchWritingKey     pk LISTING#<lst>                     sk SEARCH#<sea>
      searchWritingsQuery  partition LISTING#<lst>              beginsWith SEARCH#
      searchKey            pk SEARCH#<any of those>             sk <any of those>
      orderedPartitions    SEARCH#newest#CI~*#rent#house#2#<shard>
      orderedPartitionOf   SEARCH#newest#CI~*#rent#house#2#<shard>
      agentPartition       SEARCH#newest#<usr>
      placePartition       SEARCH#near#rent#*#2#1230
      newestOrder          <moment>#<lst>#<sea>
      priceOrder           0000000000150000#<lst>#<sea>
      risingPriceOrder     0000000000150000#lst_ZYCNEWBS28Q0DV5X4R3PKT7MAJ#<sea>
      placeOrder           1230123012301230#5.3261,-4.0197#<lst>#<sea>
      priceRange           0000000000150000#                    0000000000150000#~
      placeRange           1230123012301230#                    1230123012301230#~
      startOfCell          1230123012301230#
      startOfPoint         1230123012301230#5.3261,-4.0197#<lst>
      mailRequestKey       pk MAIL#<mai>                        sk MAIL
      mailAgainKey         pk MAIL#<mai>                        sk AGAIN
      mailDueList          MAIL-DUE
      mailDueKey           pk MAIL-DUE#3                        sk <moment>#<mai>
      mailUnsentList       MAIL-UNSENT
      mailUnsentKey        pk MAIL-UNSENT#3                     sk <moment>#<mai>
      originalKey          originals/<lst>/<med>
      variantKey           variants/<lst>/<med>/<hash>
      publicPath           <usr>/<lst>/<med>/<hash>
      publicKey            public/<usr>/<lst>/<med>/<hash>
      publicPrefix         public/<usr>/<lst>/
      variantPrefixes      variants/<lst>/<med>/                public/<usr>/<lst>/<med>/
      inboxPartition       INBOX#<usr>
      inboxKey             pk INBOX#<usr>                       sk INBOX
      inboxItemKey         pk INBOX#<usr>                       sk any key
      noticeKey            pk INBOX#<usr>                       sk NOTICE#<inb>
      noticeRange          NOTICE#<inb>#                        NOTICE#~
      toldKey              pk INBOX#<usr>                       sk TOLD#<evt>
      enquiryMailKey       pk INBOX#<usr>                       sk MAILED#<enq>
      paymentKey           pk PAYMENT#<pay>                     sk PAYMENT
      moveKey              pk PAYMENT#<pay>                     sk MOVE#<version>
      postingKey           pk PAYMENT#<pay>                     sk POSTING#00000007#charge:ch_1
      postingQuery         partition PAYMENT#<pay>              beginsWith POSTING#
      userPaymentsEntry    gsi1pk USER#<usr>#PAYMENTS           gsi1sk <pay>
      paymentListPartition PAYMENTS#<list>
      paymentListKey       pk PAYMENTS#<list>#<shard>           sk <pay>
      paymentDuePartition  PAYMENTS-DUE
      paymentDueKey        pk PAYMENTS-DUE#<shard>              sk <moment>#<pay>
      auditPartition       PAYMENTS-TO-AUDIT
      auditKey             pk PAYMENTS-TO-AUDIT#0               sk <pay>
      patienceKey          pk PROVIDER#<provider>               sk PATIENCE
      budgetKey            pk PROVIDER#<provider>               sk BUDGET#<day>T12:00
      openPaymentsKey      pk PAYER#<usr>                       sk OPEN-PAYMENTS
      userPaymentsQuery    partition USER#<usr>#PAYMENTS        index gsi1
      notificationKey      pk NOTIFICATION#<fingerprint>        sk NOTIFICATION
      paymentNotificationsEntry gsi1pk PAYMENT#<pay>#NOTIFICATIONS   gsi1sk <ntf>
      paymentNotificationsQuery partition PAYMENT#<pay>#NOTIFICATIONS index gsi1
      notificationListPartition NOTIFICATIONS#<list>
      notificationListKey  pk NOTIFICATIONS#<list>#<shard>      sk <ntf>
      referenceKey         pk REFERENCE#<provider>#<reference>  sk PAYMENT
      referencedIndex      gsi2pk REFERENCED#<reference>        gsi2sk <pay>
      referencedQuery      partition REFERENCED#<reference>     index gsi2
      refundKey            pk REFUND#<rfd>                      sk PAYMENT
      waitingKey           pk REFERENCE#<provider>#<reference>  sk WAITING#<fingerprint>
      waitingQuery         partition REFERENCE#<provider>#<reference> beginsWith WAITING#
      paymentRequestKey    pk PAYMENT-REQUEST#<prq>             sk PAYMENT-REQUEST
      paymentRequestIndexes gsi1pk OWNER#<usr>#PAYMENT-REQUESTS  gsi1sk <prq>                         gsi2pk CUSTOMER#<usr>#PAYMENT-REQUESTS gsi2sk <prq>
      sentRequestsQuery    partition OWNER#<usr>#PAYMENT-REQUESTS index gsi1
      receivedRequestsQuery partition CUSTOMER#<usr>#PAYMENT-REQUESTS index gsi2
      requestDuePartition  PAYMENT-REQUESTS-DUE
      requestDueKey        pk PAYMENT-REQUESTS-DUE#<shard>      sk <moment>#<prq>
      holdKey              pk HOLD#<lst>                        sk HOLD
      deletionKey          pk USER#<usr>                        sk DELETION
      exportObjectKey      exports/<usr>/<exp>.json
      exportObjectPrefix   exports/<usr>/
      takeBackKey          pk USER#<usr>                        sk TAKE-BACK
      reportsPartition     REPORTS#<lst>
      listingReportsKey    pk REPORTS#<lst>                     sk REPORTED
      listingReportKey     pk REPORTS#<lst>                     sk REPORT#<moment>
      listingReportRange   REPORT#<moment>                      REPORT#<moment>
      listingReporterKey   pk REPORTS#<lst>                     sk BY#any key
      reportsByIndex       gsi1pk REPORTER#<usr>                gsi1sk <moment>#<lst>
      reportsByQuery       partition REPORTER#<usr>             index gsi1
      reportedAgentIndex   gsi2pk REPORTED-AGENT#<usr>          gsi2sk <moment>#<lst>
      reportedAgentQuery   partition REPORTED-AGENT#<usr>       index gsi2
      reportedListings     REPORTED-LISTINGS
      reportedListingKey   pk REPORTED-LISTINGS#3               sk <moment>#<lst>
      webhookKey           pk WEBHOOKS#ALL                      sk <whk>
      deliveryKey          pk DELIVERIES#<whk>                  sk <dlv>
      deliveriesPartition  DELIVERIES#<whk>
      orderedKey           pk WEBHOOK-EVENT#<evt>               sk <whk>
      dueDeliveryKey       pk DELIVERIES-DUE#<whk>              sk <moment>#<dlv>
      dueDeliveriesPartition DELIVERIES-DUE#<whk>
      "
    `)
  })

  it('shows every key there is', () => {
    const names = exported.map(([name]) => name)
    expect(names.sort(), 'Say in KEYS what the key takes').toEqual(Object.keys(KEYS).sort())
  })

  it('has no two items at one key', () => {
    const spelled = fc.tuple(anItem('pk', 'sk'), anItem('pk', 'sk'))
    fc.assert(
      fc.property(spelled, ([one, other]) => {
        const isSame = one.said === other.said
        expect(one.at === other.at, `${one.said} and ${other.said}`).toBe(isSame)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has no entry of one list among those of another', () => {
    fc.assert(
      fc.property(anItem('gsi1pk'), anItem('gsi1pk'), (one, other) => {
        if (one.name !== other.name) expect(one.at).not.toBe(other.at)
      }),
    )
  })

  it('has no partition that takes every write of a kind', () => {
    fc.assert(
      fc.property(anItem('pk', 'gsi1pk'), ({ at, name }) => {
        for (const part of JSON.parse(at) as (string | null)[]) {
          if (part !== null) expect(part, name).toMatch(/^[A-Z-]+#./)
        }
      }),
    )
  })

  it('names only attributes that table.yml declares', async () => {
    const { Resources } = parse(await readFile(new URL('dynamo/table.yml', LIB), 'utf8'))
    const declared = Resources.Table.Properties.AttributeDefinitions.map(
      ({ AttributeName }: { AttributeName: string }) => AttributeName,
    )
    const used = [...spellers].flatMap(([name, spell]) => {
      const spelled = spell(...(KEYS[name] ?? []).map((argument) => ARGUMENTS[argument][0]))
      return isKey(spelled) ? Object.keys(spelled) : []
    })
    expect(used.filter((attribute) => !declared.includes(attribute))).toEqual([])
  })
})

describe('the partitions that functions are granted', () => {
  it('are those that the keys spell', async () => {
    const granted = parse(await readFile(new URL('dynamo/partitions.yml', LIB), 'utf8'))
    const spelled = (attribute: string) => {
      const values = [...spellers].flatMap(([name, spell]) => {
        const key = spell(...(KEYS[name] ?? []).map((argument) => ARGUMENTS[argument][0]))
        return typeof key === 'string' || Array.isArray(key) ? [] : (key[attribute] ?? [])
      })
      return [...new Set(values.map((value) => value.replace(/#.*/, '')))].sort()
    }
    expect(Object.keys(granted.table).sort()).toEqual(spelled('pk'))
    expect(granted.gsi1.toSorted()).toEqual(spelled('gsi1pk'))
    expect(granted.gsi2.toSorted()).toEqual(spelled('gsi2pk'))
  })

  it('are never those of events, of the journal and of payments where records are removed', async () => {
    const { table } = parse(await readFile(new URL('dynamo/partitions.yml', LIB), 'utf8'))
    for (const name of ['EVENTS', 'ACTIONS', 'PAYMENT', 'NOTIFICATION', 'REFUND']) {
      expect(table[name], name).not.toContain('remove')
      expect(table[name], name).not.toContain('batch')
    }
  })
})

describe('a list that is asked for', () => {
  const LISTS = [
    { query: 'searchWritingsQuery', holds: 'searchWritingKey', beside: ['listingKey', 'listingMoveKey'] },
    { query: 'waitingQuery', holds: 'waitingKey', beside: ['referenceKey'] },
    { query: 'postingQuery', holds: 'postingKey', beside: ['paymentKey', 'moveKey'] },
    { query: 'decisionQuery', holds: 'decisionKey', beside: ['accountKey', 'standingKey', 'documentKey'] },
    {
      query: 'documentQuery',
      holds: 'documentKey',
      beside: ['accountKey', 'decisionKey', 'documentLinksKey'],
    },
    { query: 'documentLinksQuery', holds: 'documentLinksKey', beside: ['accountKey', 'documentKey'] },
  ]

  it.each(LISTS)('by $query holds every $holds and nothing of $beside', ({ query, holds, beside }) => {
    fc.assert(
      fc.property(fc.tuple(...valuesOf(holds)), (values) => {
        const asked = spell(query, values) as { partition: string; beginsWith: string }
        const isIn = (name: string) => {
          const { pk, sk } = spell(name, values) as Record<string, string>
          return pk === asked.partition && sk?.startsWith(asked.beginsWith)
        }
        expect(isIn(holds)).toBe(true)
        expect(beside.filter(isIn)).toEqual([])
      }),
    )
  })

  it('by the day of a moment holds every verification that ends on it', () => {
    fc.assert(
      fc.property(fc.tuple(...valuesOf('kycExpiryKey')), ([user, moment]) => {
        expect(spell('kycExpiryKey', [user, moment])).toMatchObject({
          pk: spell('kycExpiryPartition', [moment]),
        })
      }),
    )
  })
})

const spell = (name: string, values: readonly unknown[]): Spelled => spellers.get(name)?.(...values) ?? ''

function aNumber(max: number): fc.Arbitrary<number> {
  return fc.double({ min: -max, max, noNaN: true })
}

function aPlace(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[0-3]{16}#-?\d{1,2}\.\d,-?\d{1,3}\.\d#lst_[0-9A-Z]{26}#evt_[0-9A-Z]{26}$/)
}

function id(prefix: string): fc.Arbitrary<string> {
  return fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/).map((ulid) => `${prefix}_${ulid}`)
}

const valuesOf = (name: string): fc.Arbitrary<unknown>[] =>
  (KEYS[name] ?? []).map((argument) => ARGUMENTS[argument][1])

/** An item with a key of such attributes: where it is, and what says so. */
const anItem = (...attributes: string[]) =>
  fc
    .constantFrom(...Object.keys(KEYS))
    .chain((name) => fc.tuple(fc.constant(name), fc.tuple(...valuesOf(name))))
    .map(([name, values]) => {
      const spelled = spell(name, values)
      const key = isKey(spelled) ? spelled : {}
      const parts = attributes.map((attribute) => key[attribute] ?? null)
      return { name, said: JSON.stringify([name, values]), at: JSON.stringify(parts) }
    })
    .filter(({ at }) => JSON.parse(at).some((part: string | null) => part !== null))

/** What is not a key is a partition to ask for, or the name of an object. */
const isKey = (spelled: Spelled): spelled is Record<string, string> =>
  typeof spelled === 'object' && !Array.isArray(spelled) && !('partition' in spelled)

/** A key's parts, with the kind of each argument in the place of its value. */
function columnsOf(spelled: Spelled): string[] {
  const isMany = Array.isArray(spelled) && spelled.length > 2
  const columns = typeof spelled === 'string' ? [spelled] : isMany ? spelled.slice(0, 1) : spelled
  return Object.entries(columns).map(([name, text]) => {
    const shown = text
      .replace(/(^|#)[\w-]{43}$/, '$1<hash>')
      .replace('U-yDYLLu-N80TCc32f_aAp', '<hash>')
      .replace(/^(SEARCH#.*)#\d$/, '$1#<shard>')
      .replace(/#WAITING(#\d)?$/, (_, shard) => (shard ? '#<list>#<shard>' : '#<list>'))
      .replace(
        /^(PAYMENTS-DUE|PAYMENT-REQUESTS-DUE|ENQUIRIES-REPORTED|EVENTS|ACTIONS|OVERVIEW)#\d$/,
        '$1#<shard>',
      )
      .replace('2027-01-31T12:00:00.000Z', '<moment>')
      .replace('2027-01-31', '<day>')
      .replace('01KAH3M6XQ8ZJ4T2V7W9C5RBND'.slice(-16), '<fingerprint>')
      .replace(/00000007$/, '<version>')
      .replace('stripe', '<provider>')
      .replace('pi_3Nx', '<reference>')
      .replace('awa@example.com', '<address>')
      .replaceAll(/(\w{3})_01KAH3M6XQ(<fingerprint>|\w{16})/g, '<$1>')
    return /^\d/.test(name) ? shown : `${name} ${shown}`
  })
}
