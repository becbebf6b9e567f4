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
import { testTable } from '#test/support/corpus'
import { aCustomer, aListedHouse } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aListing, listingOf } from '#test/support/listings'
import { mailsOf, notificationsOf } from '#test/support/notifications'
import { changeOf, deliveredTo, listingChangeOf } from '#test/support/stream'

const save = ({ token }: GivenUser, listingId: string) =>
  call(saveFavourite, { params: { listingId }, token })

/** Changes a listing and delivers the change, and every piece of its savers that comes of it. */
async function changed(
  id: string,
  more: Partial<Listing>,
  { times = 1, meanwhile }: { times?: number; meanwhile?: () => Promise<unknown> } = {},
): Promise<SaversPiece[]> {
  const before = (await listingOf(id as ListingId)) as Listing
  const after = { ...before, ...more, version: before.version + 1, updatedAt: timestamp(new Date()) }
  const pieces: SaversPiece[] = []
  const savers = openSavers(testTable())
  const addPiece: typeof savers.addPiece = (piece, now) => {
    pieces.push(piece)
    return savers.addPiece(piece, now)
  }
  const deps = { savers: { ...savers, addPiece } }
  const listings = openListings(testTable())
  await listings.commit([listings.replace(before, after)].flat())
  await meanwhile?.()
  const changes = Array.from({ length: times }, () => listingChangeOf(before, after))
  for (const change of changes) await deliveredTo(followFavourites, [change], deps)
  // Pieces of a delivery that lost are not stored, and stay without effect: only the first four were.
  const [first] = pieces
  const waiting = pieces.filter(({ event }) => event.id === first?.event.id)
  const done: SaversPiece[] = []
  for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
    done.push(piece)
    const known = pieces.length
    await deliveredTo(notifySavers, [changeOf(undefined, piece), changeOf(undefined, piece)], deps)
    waiting.push(...pieces.slice(known, known + 1))
  }
  return done
}

const cheaper = { price: { amount: 100_000, currency: 'XOF' as const } }
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
    expect(await titlesOf(person)).toEqual([
      '“House by the lagoon” was taken',
      '“House by the lagoon” now costs F\u202fCFA\u00a0100,000',
    ])
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
