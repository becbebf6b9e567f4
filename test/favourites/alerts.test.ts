import { describe, expect, it } from 'vitest'
import { spec as saveFavourite } from '#functions/favourites/save-favourite'
import { spec as favouriteMails } from '#functions/jobs/favourite-mails'
import { spec as followFavourites } from '#functions/jobs/follow-favourites'
import { spec as notifySavers } from '#functions/jobs/notify-savers'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { openFavourites } from '#lib/favourites/favourite-store.dynamo'
import type { SaversPiece } from '#lib/favourites/saver-store'
import { openSavers } from '#lib/favourites/saver-store.dynamo'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { type ListingId, newId, UserId } from '#lib/kernel/id'
import { nextMorning } from '#lib/kernel/morning'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { Mail } from '#lib/mail/mailer'
import { openNotifications } from '#lib/notifications/notification-store.dynamo'
import { call } from '#test/support/call'
import { aCustomer, aListedHouse } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, listingOf } from '#test/support/listings'
import { mailsOf, notificationsOf } from '#test/support/notifications'
import { changeOf, deliveredTo, listingChangeOf } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const save = ({ token }: GivenUser, listingId: string) =>
  call(saveFavourite, { params: { listingId }, token })

type Change = { times?: number; meanwhile?: () => Promise<unknown> }

/** Changes a listing and delivers the change. Returns the pieces of its savers that come of it. */
async function followed(
  id: string,
  more: Partial<Listing>,
  { times = 1, meanwhile }: Change = {},
): Promise<SaversPiece[]> {
  const before = (await listingOf(id as ListingId)) as Listing
  const after = { ...before, updatedAt: timestamp(new Date()), ...more, version: before.version + 1 }
  const pieces: SaversPiece[] = []
  const savers = openSavers(testTable())
  const addPiece: typeof savers.addPiece = (piece, now) => {
    pieces.push(piece)
    return savers.addPiece(piece, now)
  }
  const listings = openListings(testTable())
  await listings.commit([listings.replace(before, after)].flat())
  await meanwhile?.()
  const changes = Array.from({ length: times }, () => listingChangeOf(before, after))
  for (const change of changes) {
    await deliveredTo(followFavourites, [change], { savers: { ...savers, addPiece } })
  }
  return pieces
}

/** Delivers pieces, and those that come of them, twice each. Returns all of them. */
async function delivered(pieces: readonly SaversPiece[]): Promise<SaversPiece[]> {
  const waiting = [...pieces]
  const savers = openSavers(testTable())
  const done: SaversPiece[] = []
  for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
    done.push(piece)
    const next: SaversPiece[] = []
    const addPiece: typeof savers.addPiece = (added, now) => {
      next.push(added)
      return savers.addPiece(added, now)
    }
    const deps = { savers: { ...savers, addPiece } }
    await deliveredTo(notifySavers, [changeOf(undefined, piece), changeOf(undefined, piece)], deps)
    // The second delivery makes the same piece again.
    waiting.push(...next.slice(0, 1))
  }
  return done
}

/** Changes a listing and delivers the change, and every piece of its savers that comes of it. */
const changed = async (id: string, more: Partial<Listing>, change: Change = {}): Promise<SaversPiece[]> =>
  delivered(await followed(id, more, change))

const cheaper = { price: { amount: 100_000, currency: 'XOF' as const } }
/** A price at a moment of a day to come, so that who saves now has saved before. */
const priced = (amount: number, at = '2999-01-01T10:00:00.000Z'): Partial<Listing> => ({
  price: { amount, currency: 'XOF' },
  updatedAt: Timestamp.parse(at),
})
const nowCosts = (amount: string) => `“House by the lagoon” now costs F\u202fCFA\u00a0${amount}`
const titlesOf = async ({ token }: GivenUser) =>
  (await notificationsOf(token)).items.map(({ title }) => title)

/** The mails of favourites to a person that are due by a moment. */
async function mailsTo({ id }: GivenUser, at: Date): Promise<Mail[]> {
  const requests: object[] = []
  const mails = {
    request: (request: object) => {
      requests.push({ kind: 'mail-request', ...request })
      return {
        put: { pk: `MAIL#${(request as { id: string }).id}`, sk: 'MAIL', kind: 'mail-request', ...request },
      }
    },
  }
  await runJob(favouriteMails, { mails }, { at: timestamp(at) })
  return mailsOf(requests.filter((request) => (request as { userId: string }).userId === id))
}

describe('the savers of a listing', () => {
  it('are notified once that it became cheaper, and mailed the next morning in one mail', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    await changed(listing, cheaper, { times: 3 })
    await changed(listing, { availability: 'TAKEN' })
    expect(await titlesOf(person)).toEqual(['“House by the lagoon” was taken', nowCosts('100,000')])
    const { items } = await notificationsOf(person.token)
    expect(items[1]).toMatchObject({ type: 'favourite.changed', subject: listing })

    const morning = new Date(nextMorning(new Date()))
    expect(await mailsTo(person, new Date(morning.getTime() - 1))).toEqual([])
    const [mail, ...others] = await mailsTo(person, morning)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: person.email, subject: 'Changes to your favourites' })
    expect(mail?.text).toContain('“House by the lagoon” now costs')
    expect(mail?.text).toContain('“House by the lagoon” was taken')
    expect(mail?.headers).toHaveProperty('List-Unsubscribe')
    expect(await mailsTo(person, morning)).toEqual([])

    await changed(listing, { status: 'SUSPENDED' })
    expect(await mailsTo(person, morning)).toEqual([])
    await changed(listing, { status: 'PUBLISHED', availability: 'AVAILABLE' })
    await changed(listing, { status: 'ARCHIVED' })
    const [later] = await mailsTo(person, morning)
    expect(later?.text).toContain('no longer listed')
    expect(later?.text).not.toContain('now costs')
  })

  it('have one notification a UTC day of a price that goes up and down, which names the lowest', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    for (let change = 0; change < 20; change += 1) {
      await changed(
        listing,
        priced(change === 10 ? 70_000 : 80_000 + change, `2999-01-01T10:00:${change + 10}.000Z`),
      )
      await changed(listing, priced(90_000 + change, `2999-01-01T10:00:${change + 10}.500Z`))
    }
    const { items, unreadCount } = await notificationsOf(person.token)
    expect(items.map(({ title, text }) => ({ title, text }))).toEqual([
      { title: nowCosts('70,000'), text: 'Before, it was F\u202fCFA\u00a0150,000.' },
    ])
    expect(unreadCount).toBe(1)
    const mails = await mailsTo(person, new Date(nextMorning(new Date())))
    expect(mails.map(({ text }) => text.match(/\d+,000/g))).toEqual([['70,000', '150,000']])
  })

  it('are notified on a later day only of a price below the last one that they were notified of', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    await changed(listing, priced(80_000))
    await changed(listing, priced(90_000, '2999-01-01T23:59:59.999Z'))
    await changed(listing, priced(80_000, '2999-01-02T00:00:00.000Z'))
    await changed(listing, priced(85_000, '2999-01-02T10:00:00.000Z'))
    await changed(listing, priced(80_001, '2999-01-02T11:00:00.000Z'))
    expect(await titlesOf(person)).toEqual([nowCosts('80,000')])
    await changed(listing, priced(79_999, '2999-01-02T12:00:00.000Z'))
    expect(await titlesOf(person)).toEqual([nowCosts('79,999'), nowCosts('80,000')])
  })

  it('are mailed the lowest price of a day the next morning if the day’s first was mailed already', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    const morning = new Date(nextMorning(new Date()))
    await changed(listing, priced(80_000))
    expect(await mailsTo(person, morning)).toHaveLength(1)
    await changed(listing, priced(70_000, '2999-01-01T11:00:00.000Z'))
    const [mail] = await mailsTo(person, morning)
    expect(mail?.text).toContain('70,000')
  })

  it('keep the lower price if the first change of the day is delivered after the second', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    const first = await followed(listing, priced(80_000))
    const second = await followed(listing, priced(70_000, '2999-01-01T11:00:00.000Z'))
    await delivered(second)
    await delivered(first)
    expect(await titlesOf(person)).toEqual([nowCosts('70,000')])
  })

  it('who saved it between two reductions of a day are notified of the second', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(await aCustomer(), listing)
    await changed(listing, priced(80_000, timestamp(new Date())))
    await save(person, listing)
    await changed(listing, priced(70_000, timestamp(new Date(Date.now() + 5))))
    expect(await titlesOf(person)).toEqual([nowCosts('70,000')])
  })

  it('are notified of no second currency on one day, and of each currency on days of its own', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    const euros = (amount: number, at: string): Partial<Listing> => ({
      price: { amount, currency: 'EUR' },
      updatedAt: Timestamp.parse(at),
    })
    await changed(listing, priced(80_000))
    await changed(listing, euros(300_00, '2999-01-01T11:00:00.000Z'))
    await changed(listing, euros(200_00, '2999-01-01T12:00:00.000Z'))
    expect(await titlesOf(person)).toEqual([nowCosts('80,000')])
    await changed(listing, euros(100_00, '2999-01-02T12:00:00.000Z'))
    expect(await titlesOf(person)).toEqual([expect.stringContaining('€100'), nowCosts('80,000')])
  })

  it('are not notified of a higher price, another currency, or a change while it is not public', async () => {
    const { listing } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    await changed(listing, { price: { amount: 900_000, currency: 'XOF' } })
    await changed(listing, { price: { amount: 1, currency: 'EUR' } })
    await changed(listing, { title: 'Another title' })
    expect(await titlesOf(person)).toEqual([])
  })

  it('are not notified of a lower price while its agent is not verified', async () => {
    const { listing, agent } = await aListedHouse()
    const person = await aCustomer()
    await save(person, listing)
    const decision = { userId: agent.id, kycStatus: 'REJECTED', reasons: ['other'] }
    expect((await call(setKycStatus, { token: await consoleToken(), body: decision })).status).toBe(200)
    await changed(listing, cheaper)
    expect(await titlesOf(person)).toEqual([])
  })

  it('who saved it after the change, or removed it before, are not notified', async () => {
    const { listing } = await aListedHouse()
    const [early, late] = [await aCustomer(), await aCustomer()]
    await save(early, listing)
    const savers = openSavers(testTable())
    const favourites = openFavourites(testTable())
    const savedAt = Timestamp.parse('2999-01-01T00:00:00.000Z')
    await favourites.commit(
      favourites.insert({
        userId: UserId.parse(late.id),
        listingId: listing as ListingId,
        savedAt,
        savedPrice: { amount: 1, currency: 'XOF' },
      }),
    )
    expect(savers.shardCount).toBe(4)
    await changed(listing, cheaper)
    expect([await titlesOf(early), await titlesOf(late)]).toMatchObject([[expect.any(String)], []])
  })

  it('who saved it after the change and before its delivery are not notified', async () => {
    const { listing } = await aListedHouse()
    const [early, late] = [await aCustomer(), await aCustomer()]
    await save(early, listing)
    await changed(listing, cheaper, { meanwhile: () => save(late, listing) })
    expect([await titlesOf(early), await titlesOf(late)]).toMatchObject([[expect.any(String)], []])
  })

  it('a listing without savers notifies nobody, and its price announces no event', async () => {
    const { agent } = await aListedHouse()
    expect(await changed(await aListing(agent.id), cheaper)).toEqual([])
  })

  it('who are many are notified in pieces, once each', { timeout: 120_000 }, async () => {
    const { listing } = await aListedHouse()
    const favourites = openFavourites(testTable())
    const people = Array.from({ length: 600 }, () => newId('user'))
    const savedAt = timestamp(new Date(Date.now() - 1000))
    const savedPrice = { amount: 500_000, currency: 'XOF' as const }
    const each = people.map((userId) => ({ userId, listingId: listing as ListingId, savedAt, savedPrice }))
    for (let from = 0; from < each.length; from += 50) {
      await Promise.all(
        each.slice(from, from + 50).map((favourite) => favourites.commit(favourites.insert(favourite))),
      )
    }
    const pieces = await changed(listing, cheaper)
    expect(pieces.length).toBeGreaterThanOrEqual(8)
    const store = openNotifications(testTable())
    const page = { limit: 10, after: undefined, newerThan: undefined, oldest: timestamp(new Date(0)) }
    const counts = await Promise.all(
      people.map(async (userId) => (await store.list(userId, page)).items.length),
    )
    expect(counts.filter((count) => count !== 1)).toEqual([])
  })
})
