import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readFunctions } from '#lib/package/functions'
import { type KeyFunction, keyFunctions, type Spelled } from '#test/support/key-functions'

const LIB = new URL('../../lib/', import.meta.url)

let functions: KeyFunction[]

beforeAll(async () => {
  functions = await keyFunctions()
})

describe('the one table', () => {
  it('has this design', () => {
    const lines = functions.map((key) => {
      const spelled = exampleOf(key)
      return [key.name.padEnd(20), ...columnsOf(spelled).map((column) => column.padEnd(36))].join(' ').trim()
    })
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      accountKey           pk USER#<usr>                        sk ACCOUNT
      emailKey             pk EMAIL#<address>                   sk EMAIL
      sessionKey           pk SESSION#<ses>                     sk SESSION
      userSessionsEntry    gsi1pk USER#<usr>#SESSIONS           gsi1sk <ses>
      userSessionsQuery    partition USER#<usr>#SESSIONS        index gsi1
      eligibilityKey       pk USER#<usr>                        sk ELIGIBILITY
      restorationKey       pk USER#<usr>                        sk RESTORATION#<moment>
      userListPartition    USERS#<list>
      userListKey          pk USERS#<list>#<shard>              sk <moment>#<usr>
      statusDecisionKey    pk USER#<usr>                        sk STATUS#<std>
      statusDecisionQuery  partition USER#<usr>                 beginsWith STATUS#
      apiKeyKey            pk API-KEY#<hash>                    sk API-KEY
      mailedLinkKey        pk LINK#<mai>                        sk LINK
      userLinksEntry       gsi1pk USER#<usr>#LINKS              gsi1sk <mai>
      userLinksQuery       partition USER#<usr>#LINKS           index gsi1
      passwordKey          pk PASSWORD#<usr>                    sk PASSWORD
      factorsKey           pk FACTORS#<usr>                     sk FACTORS
      passkeyKey           pk PASSKEY#<hash>                    sk PASSKEY
      spentChallengeKey    pk CHALLENGE#<hash>                  sk CHALLENGE
      removalPartition     FACTORS-DUE#<day>
      removalKey           pk FACTORS-DUE#<day>                 sk <moment>#<usr>
      throttleKey          pk THROTTLE#<hash>                   sk <moment>
      overviewShareKey     pk OVERVIEW-SHARE#<subject>          sk SHARE
      overviewCounterKey   pk OVERVIEW#<shard>                  sk <counter>
      overviewPartitions   OVERVIEW#<shard>
      paymentsCounter      DAY#<day>#PAYMENTS#<currency>#<status>
      signUpsCounter       DAY#<day>#SIGN-UPS
      waitingCounter       NOW#<queue>
      countersSince        DAY#<day>                            NOW#~
      overviewWaitingPartition OVERVIEW-WAITING#<queue>
      overviewWaitingKey   pk OVERVIEW-WAITING#<queue>#<shard>  sk <moment>#<subject>
      claimKey             pk CLAIM#<subject>                   sk CLAIM
      changeLogKey         pk SEARCH-LOG#<day>#<shard>          sk <moment>#<subject>#7
      changeLogPartitions  SEARCH-LOG#<day>#<shard>
      idempotencyKey       pk IDEMPOTENCY#<hash>                sk <hash>
      idempotencyPartition IDEMPOTENCY#<hash>
      progressKey          pk PROGRESS#<job>                    sk PROGRESS
      quotaKey             pk QUOTA#<hash>                      sk <policy>#7
      enquiryKey           pk ENQUIRY#<fingerprint>             sk ENQUIRY
      answersKey           pk AGENT#<usr>                       sk ANSWERS
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
      subjectEventsEntry   gsi1pk EVENTS-OF#<subject>           gsi1sk <evt>
      subjectEventsPartition EVENTS-OF#<subject>
      favouritesQuery      partition FAVOURITES#<usr>           beginsWith LISTING#
      favouriteKey         pk FAVOURITES#<usr>                  sk LISTING#<lst>
      favouriteCountKey    pk FAVOURITES#<usr>                  sk COUNT
      saversList           SAVERS#<lst>
      saverKey             pk SAVERS#<lst>#<shard>              sk <usr>
      favouriteChangeKey   pk FAVOURITE-CHANGES#<lst>           sk LAST
      saversPieceKey       pk SAVERS-PIECES#<evt>               sk 2#<after>
      actionKey            pk ACTIONS#<shard>                   sk <act>
      actionIndexes        gsi1pk ACTIONS-OF#<subject>          gsi1sk <act>                         gsi2pk ACTIONS-BY#<by>               gsi2sk <act>
      actionsOfPartition   ACTIONS-OF#<subject>
      actionsByPartition   ACTIONS-BY#<by>
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
      kycAnnouncedKey      pk USER#<usr>                        sk KYC-EXPIRING#<moment>
      kycExpiryPartition   KYC-EXPIRY#<day>
      agentAccountPartition AGENT-ACCOUNT#<usr>
      agentBalanceKey      pk AGENT-ACCOUNT#<usr>               sk BALANCE#XOF
      agentEndKey          pk AGENT-ACCOUNT#<usr>               sk END
      agentBalancesList    AGENT-BALANCES#XOF
      agentBalanceIndex    gsi1pk AGENT-BALANCES#XOF#<shard>    gsi1sk <usr>
      agentBalancesQuery   partition AGENT-ACCOUNT#<usr>        beginsWith BALANCE#
      statementEntryKey    pk AGENT-ACCOUNT#<usr>               sk ENTRY#XOF#<moment>#<number>
      statementRange       ENTRY#XOF#<moment>                   ENTRY#XOF#<moment>
      heldPaymentKey       pk AGENT-ACCOUNT#<usr>               sk HELD#XOF#<pay>
      heldPaymentsQuery    partition AGENT-ACCOUNT#<usr>        beginsWith HELD#XOF#
      agentPayoutKey       pk AGENT-ACCOUNT#<usr>               sk PAYOUT#XOF#<out>
      agentPayoutsQuery    partition AGENT-ACCOUNT#<usr>        beginsWith PAYOUT#XOF#
      underWayKey          pk AGENT-ACCOUNT#<usr>               sk UNDER-WAY#<out>
      underWayQuery        partition AGENT-ACCOUNT#<usr>        beginsWith UNDER-WAY#
      correctionKey        pk CORRECTION#<trx>                  sk TRANSACTION
      payoutTransactionKey pk PAYOUT#<out>                      sk TRANSACTION#<trx>
      paymentTransactionKey pk PAYMENT#<pay>                     sk TRANSACTION#<trx>
      postingKey           pk PAYMENT#<pay>                     sk POSTING#<number>#<object>
      postingQuery         partition PAYMENT#<pay>              beginsWith POSTING#
      ledgerDayList        LEDGER#<day>
      ledgerDayIndex       gsi2pk LEDGER#<day>#<shard>          gsi2sk <moment>#<trx>
      ledgerSumsList       LEDGER-SUMS#<day>
      ledgerSumKey         pk LEDGER-SUMS#<day>#<shard>         sk <account>#XOF
      ledgerClosingPartition LEDGER-CLOSING#<day>
      ledgerClosingKey     pk LEDGER-CLOSING#<day>              sk <account>#XOF
      lastClosingKey       pk LEDGER-CLOSING#LAST               sk DAY
      ledgerFileKey        exports/ledger/<exp>.csv
      askedCorrectionKey   pk CORRECTION-ASKED#<key>            sk CORRECTION
      listingKey           pk LISTING#<lst>                     sk LISTING
      listingMoveKey       pk LISTING#<lst>                     sk MOVE#<evt>
      listingMovesQuery    partition LISTING#<lst>              beginsWith MOVE#
      agentListingIndex    gsi1pk AGENT#<usr>                   gsi1sk LISTING#<lst>
      agentListingQuery    partition AGENT#<usr>                index gsi1
      queueIndex           gsi2pk LISTINGS#<list>#<shard>       gsi2sk <moment>#<lst>
      queuePartitions      LISTINGS#<list>#<shard>
      listingCountsKey     pk AGENT#<usr>                       sk LISTING-COUNTS
      listingReferenceKey  pk REFERENCES#<usr>                  sk <reference>
      titlesList           TITLES
      titleKey             pk TITLES#<shard>                    sk <moment>#<usr>
      mediaListingKey      pk MEDIA#<med>                       sk LISTING
      availabilityCallsKey pk LISTING#<lst>                     sk AVAILABILITY
      waitingMediaKey      pk MEDIA-WAITING#<day>               sk <moment>#<lst>#<med>
      waitingMediaPartition MEDIA-WAITING#<day>
      snapshotPointerKey   pk SEARCH-SNAPSHOTS#<schema>         sk POINTER
      snapshotObjectKey    search/<schema>/<name>.zst
      statisticsList       STATISTICS#<lst>
      statisticsKey        pk STATISTICS#<lst>#<shard>          sk <day>
      listingViewKey       pk VIEWS#<mark>                      sk <lst>
      mailRequestKey       pk MAIL#<mai>                        sk MAIL
      mailAgainKey         pk MAIL#<mai>                        sk AGAIN
      mailDueList          MAIL-DUE
      mailDueKey           pk MAIL-DUE#<shard>                  sk <moment>#<mai>
      linkDueList          MAIL-DUE#LINKS
      linkDueKey           pk MAIL-DUE#LINKS#<shard>            sk <moment>#<mai>
      mailUnsentList       MAIL-UNSENT
      mailUnsentKey        pk MAIL-UNSENT#<shard>               sk <moment>#<mai>
      suppressionKey       pk SUPPRESSION#<address>             sk SUPPRESSION
      originalKey          originals/image/<lst>/<med>
      variantKey           variants/<lst>/<med>/<hash>
      publicPath           <usr>/<lst>/<med>/<hash>
      publicKey            public/<usr>/<lst>/<med>/<hash>
      publicPrefix         public/<usr>/<lst>/
      variantPrefixes      variants/<lst>/<med>/                public/<usr>/<lst>/<med>/
      notificationsPartition NOTIFICATIONS#<usr>
      notificationStateKey pk NOTIFICATIONS#<usr>               sk NOTIFICATIONS
      notificationItemKey  pk NOTIFICATIONS#<usr>               sk <sk>
      notificationKey      pk NOTIFICATIONS#<usr>               sk NOTIFICATION#<ntf>
      notificationRange    NOTIFICATION#<ntf>#                  NOTIFICATION#~
      notifiedKey          pk NOTIFICATIONS#<usr>               sk NOTIFIED#<evt>
      digestList           DIGESTS#<day>
      digestKey            pk DIGESTS#<day>#<shard>             sk <usr>#<ntf>
      enquiryMailKey       pk NOTIFICATIONS#<usr>               sk MAILED#<enq>
      holdKey              pk HOLD#<lst>                        sk HOLD
      paymentRequestKey    pk PAYMENT-REQUEST#<prq>             sk PAYMENT-REQUEST
      paymentRequestIndexes gsi1pk OWNER#<usr>#PAYMENT-REQUESTS  gsi1sk <prq>                         gsi2pk CUSTOMER#<usr>#PAYMENT-REQUESTS gsi2sk <prq>
      sentRequestsQuery    partition OWNER#<usr>#PAYMENT-REQUESTS index gsi1
      receivedRequestsQuery partition CUSTOMER#<usr>#PAYMENT-REQUESTS index gsi2
      requestDuePartition  PAYMENT-REQUESTS-DUE
      seriesKey            pk PAYMENT-SERIES#<prq>              sk PAYMENT-SERIES
      seriesDueKey         pk PAYMENT-REQUESTS-DUE#<shard>      sk <moment>#<prq>#SERIES
      requestDueKey        pk PAYMENT-REQUESTS-DUE#<shard>      sk <moment>#<prq>
      paymentKey           pk PAYMENT#<pay>                     sk PAYMENT
      moveKey              pk PAYMENT#<pay>                     sk MOVE#<number>
      userPaymentsEntry    gsi1pk USER#<usr>#PAYMENTS           gsi1sk <pay>
      paymentListPartition PAYMENTS#<list>
      paymentListKey       pk PAYMENTS#<list>#<shard>           sk <pay>
      paymentDuePartition  PAYMENTS-DUE
      paymentDueKey        pk PAYMENTS-DUE#<shard>              sk <moment>#<pay>
      auditPartition       PAYMENTS-TO-AUDIT
      auditKey             pk PAYMENTS-TO-AUDIT#<shard>         sk <pay>
      openPaymentsKey      pk PAYER#<usr>                       sk OPEN-PAYMENTS
      userPaymentsQuery    partition USER#<usr>#PAYMENTS        index gsi1
      callbackKey          pk CALLBACK#<fingerprint>            sk CALLBACK
      paymentCallbacksEntry gsi1pk PAYMENT#<pay>#CALLBACKS       gsi1sk <cbk>
      paymentCallbacksQuery partition PAYMENT#<pay>#CALLBACKS    index gsi1
      callbackListPartition CALLBACKS#<list>
      callbackListKey      pk CALLBACKS#<list>#<shard>          sk <cbk>
      referenceKey         pk REFERENCE#<provider>#<reference>  sk PAYMENT
      referencedIndex      gsi2pk REFERENCED#<reference>        gsi2sk <pay>
      referencedQuery      partition REFERENCED#<reference>     index gsi2
      refundKey            pk REFUND#<rfd>                      sk PAYMENT
      waitingKey           pk REFERENCE#<provider>#<reference>  sk WAITING#<fingerprint>
      waitingQuery         partition REFERENCE#<provider>#<reference> beginsWith WAITING#
      payoutKey            pk PAYOUT#<out>                      sk PAYOUT
      payoutOfAgentIndex   gsi1pk PAYOUTS-OF#<usr>              gsi1sk <out>
      payoutsOfAgentQuery  partition PAYOUTS-OF#<usr>           index gsi1
      payoutListPartition  PAYOUTS#<list>
      payoutListKey        pk PAYOUTS#<list>#<shard>            sk <out>
      payoutDuePartition   PAYOUTS-DUE
      payoutDueKey         pk PAYOUTS-DUE#<shard>               sk <moment>#<out>
      payoutAccountKey     pk PAYOUT-ACCOUNT#<usr>              sk PAYOUT-ACCOUNT
      deletionKey          pk USER#<usr>                        sk DELETION
      exportObjectKey      exports/<usr>/<exp>.json
      exportObjectPrefix   exports/<usr>/
      takeBackKey          pk USER#<usr>                        sk TAKE-BACK
      circuitBreakerKey    pk PROVIDER#<provider>               sk BREAKER
      budgetKey            pk PROVIDER#<provider>               sk BUDGET#<day>T12:00
      reportsPartition     REPORTS#<lst>
      listingReportsKey    pk REPORTS#<lst>                     sk REPORTED
      listingReportKey     pk REPORTS#<lst>                     sk REPORT#<moment>
      listingReportRange   REPORT#<moment>                      REPORT#<moment>
      listingReporterKey   pk REPORTS#<lst>                     sk BY#<mark>
      reportsByIndex       gsi1pk REPORTER#<usr>                gsi1sk <moment>#<lst>
      reportsByQuery       partition REPORTER#<usr>             index gsi1
      reportedAgentIndex   gsi2pk REPORTED-AGENT#<usr>          gsi2sk <moment>#<lst>
      reportedAgentQuery   partition REPORTED-AGENT#<usr>       index gsi2
      reportedListings     REPORTED-LISTINGS
      reportedListingKey   pk REPORTED-LISTINGS#<shard>         sk <moment>#<lst>
      savedSearchesQuery   partition SAVED-SEARCHES#<usr>       beginsWith SEARCH#
      savedSearchKey       pk SAVED-SEARCHES#<usr>              sk SEARCH#<sav>
      savedSearchCountKey  pk SAVED-SEARCHES#<usr>              sk COUNT
      alertsList           ALERTS#<country>
      alertKey             pk ALERTS#<country>#<shard>          sk <sav>
      changedListingsList  LISTINGS-TO-MATCH
      changedListingKey    pk LISTINGS-TO-MATCH#<shard>         sk <moment>#<lst>#7
      matchKey             pk MATCHES#<sav>                     sk LISTING#<lst>
      matchByTimeKey       pk MATCHES#<sav>                     sk <moment>#<lst>
      matchesQuery         partition MATCHES#<sav>              beginsWith LISTING#
      matchesAfterRange    <after>~                             9
      dueAlertsList        ALERTS-DUE
      dueAlertKey          pk ALERTS-DUE#<shard>                sk <moment>#<sav>
      webhookKey           pk WEBHOOKS#ALL                      sk <whk>
      deliveryKey          pk DELIVERIES#<whk>                  sk <dlv>
      deliveriesPartition  DELIVERIES#<whk>
      scheduledKey         pk WEBHOOK-EVENT#<evt>               sk <whk>
      dueDeliveryKey       pk DELIVERIES-DUE#<whk>              sk <moment>#<dlv>
      dueDeliveriesPartition DELIVERIES-DUE#<whk>
      queuedDeliveryKey    pk DELIVERIES-QUEUED#<whk>           sk <moment>#<dlv>
      queuedDeliveriesPartition DELIVERIES-QUEUED#<whk>
      "
    `)
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
    const used = functions.flatMap((key) => {
      const spelled = exampleOf(key)
      return isKey(spelled) ? Object.keys(spelled) : []
    })
    expect(used.filter((attribute) => !declared.includes(attribute))).toEqual([])
  })
})

it('A store declares only partitions that the keys spell, and each of them is declared.', async () => {
  const serverless = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const { functions: definitions } = parse(serverless, { logLevel: 'silent' })
  const read = await readFunctions(fileURLToPath(new URL('../../', import.meta.url)), definitions)
  const declared = read.flatMap(({ uses }) => Object.keys(uses).filter((place) => /^[A-Z]|:/.test(place)))
  const spelled = (attribute: string) =>
    functions.flatMap((each) => {
      const key = exampleOf(each)
      const value = typeof key === 'string' || Array.isArray(key) ? [] : (key[attribute] ?? [])
      return [value].flat().map((name) => name.replace(/#.*/, ''))
    })
  const ofIndex = (index: string) => spelled(`${index}pk`).map((name) => `${index}:${name}`)
  const known = new Set([...spelled('pk'), ...ofIndex('gsi1'), ...ofIndex('gsi2')])
  expect([...new Set(declared)].sort()).toEqual([...known].sort())
})

describe('a list that is asked for', () => {
  const LISTS = [
    { query: 'waitingQuery', holds: 'waitingKey', beside: ['referenceKey'] },
    { query: 'postingQuery', holds: 'postingKey', beside: ['paymentKey', 'moveKey'] },
    { query: 'decisionQuery', holds: 'decisionKey', beside: ['accountKey', 'eligibilityKey', 'documentKey'] },
    {
      query: 'documentQuery',
      holds: 'documentKey',
      beside: ['accountKey', 'decisionKey', 'documentLinksKey'],
    },
    { query: 'documentLinksQuery', holds: 'documentLinksKey', beside: ['accountKey', 'documentKey'] },
  ]

  it.each(LISTS)('the list by $query holds every $holds and no $beside', ({ query, holds, beside }) => {
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

  it('the list by the day of a moment holds every verification that ends on it', () => {
    fc.assert(
      fc.property(fc.tuple(...valuesOf('kycExpiryKey')), ([user, moment]) => {
        expect(spell('kycExpiryKey', [user, moment])).toMatchObject({
          pk: spell('kycExpiryPartition', [moment]),
        })
      }),
    )
  })
})

const named = (name: string): KeyFunction => {
  const found = functions.find((key) => key.name === name)
  if (!found) throw new Error(`${name} spells no key`)
  return found
}

const spell = (name: string, values: readonly unknown[]): Spelled => named(name).spell(...values)

const exampleOf = ({ spell, parameters }: KeyFunction): Spelled =>
  spell(...parameters.map(({ example }) => example))

const valuesOf = (name: string): fc.Arbitrary<unknown>[] => named(name).parameters.map(({ any }) => any)

/** An item with a key of such attributes: where it is, and what says so. */
const anItem = (...attributes: string[]) =>
  fc
    .constantFrom(...functions.map(({ name }) => name))
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
      .replace(/^([A-Z-]+(?:#[^#]+)*)#\d\d?$/, '$1#<shard>')
      .replace('2027-01-31T12:00:00.000Z', '<moment>')
      .replace('2027-01-31', '<day>')
      .replace('01KAH3M6XQ8ZJ4T2V7W9C5RBND'.slice(-16), '<fingerprint>')
      .replace(/0{7,}7(?=#|$)/, '<number>')
      .replace('stripe', '<provider>')
      .replace('awa@example.com', '<address>')
      .replaceAll(/(\w{3})_01KAH3M6XQ(<fingerprint>|\w{16})/g, '<$1>')
    return /^\d/.test(name) ? shown : `${name} ${shown}`
  })
}
