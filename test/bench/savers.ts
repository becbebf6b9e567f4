import { openAccountReader } from '#lib/accounts/account-reader.dynamo'
import { openTable } from '#lib/dynamo/table'
import { openFavourites } from '#lib/favourites/favourite-store.dynamo'
import { followFavourites } from '#lib/favourites/follow-favourites'
import { notifySavers } from '#lib/favourites/notify-savers'
import type { SaversPiece } from '#lib/favourites/saver-store'
import { openSavers } from '#lib/favourites/saver-store.dynamo'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { type ListingId, newId, type UserId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import { storedMedia } from '#lib/listings/media-map.dynamo'
import { connectLocally } from '#lib/local/dynamodb'
import { openMailRequests } from '#lib/mail/mail-requests.dynamo'
import { digestDay } from '#lib/notifications/digest'
import { openNotifications } from '#lib/notifications/notification-store.dynamo'
import { loadedTable, puts, TABLE_NAME, unsent } from './loaded-table.ts'
import { anAgent, marketplace } from './marketplace.ts'

// `npm run bench -- savers`: a listing with so many savers (the first argument, 10,000 by default) becomes cheaper. Its pieces are
// delivered as their queue does, the shards side by side and every piece twice, while another listing with one saver becomes
// cheaper too. Never in `npm test`.

const SAVERS = Number(process.argv[2] ?? 10_000)

const [[popular, other] = []] = [...marketplace(2).pieces(2)]
if (!popular || !other) throw new Error('There are no two listings')

function* itemsOfFavourites() {
  const favourites = openFavourites(unsent)
  const saved = (listingId: ListingId) =>
    puts(
      favourites.insert({
        userId: newId('user'),
        listingId,
        savedAt: timestamp(secondsAfter(new Date(), -3600)),
        savedPrice: { amount: 1, currency: 'XOF' },
      }),
    )
  for (let count = 0; count < SAVERS; count += 1) yield saved((popular as Listing).id)
  yield saved((other as Listing).id)
}

const dynamo = await loadedTable(itemsOfFavourites())
try {
  const client = connectLocally(dynamo.endpoint)
  let requests = 0
  const table = openTable(TABLE_NAME, {
    send: (operation, input) => {
      requests += 1
      return client.send(operation, input)
    },
  })
  const savers = openSavers(table)
  const notifications = openNotifications(table)
  /** The pieces that are to be delivered, each once. */
  const waiting = new Map<string, SaversPiece>()
  const deps = {
    savers: {
      ...savers,
      addPiece: (piece: SaversPiece, now: Date) => {
        waiting.set(`${piece.event.id} ${piece.shard} ${piece.after}`, piece)
        return savers.addPiece(piece, now)
      },
    },
    accounts: { ...openAccountReader(table), get: async (id: UserId) => anAgent(id, new Date()) },
    notifications,
    mails: openMailRequests(table),
    now: () => new Date(),
    newId,
  }
  const cheaper = (listing: Listing) => {
    const before = { ...listing, ...storedMedia(listing.media) }
    const price = listing.price && { ...listing.price, amount: listing.price.amount - 1 }
    const updatedAt = timestamp(new Date())
    return { before, after: { ...before, price, version: listing.version + 1, updatedAt } }
  }
  const times: number[] = []
  const deliver = async (piece: SaversPiece): Promise<void> => {
    const startedAt = performance.now()
    await notifySavers(deps, piece)
    times.push(performance.now() - startedAt)
  }
  /** Delivers the pieces of a change, those of a shard in their order, each twice. Returns how many there were. */
  const follow = async (listing: Listing): Promise<number> => {
    await followFavourites(deps, cheaper(listing))
    const counts = await Promise.all(
      Array.from({ length: savers.shardCount }, async (_, shard) => {
        const next = () =>
          [...waiting].find(([, piece]) => piece.listingId === listing.id && piece.shard === shard)
        let count = 0
        for (let found = next(); found; found = next()) {
          const [key, piece] = found
          waiting.delete(key)
          await deliver(piece)
          await deliver(piece)
          count += 1
        }
        return count
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  const [startedAt, processor] = [performance.now(), process.cpuUsage()]
  const secondsSince = (moment: number) => ((performance.now() - moment) / 1000).toFixed(1)
  const [pieces, otherSeconds] = await Promise.all([
    follow(popular),
    follow(other).then(() => secondsSince(startedAt)),
  ])
  const seconds = secondsSince(startedAt)
  const { user, system } = process.cpuUsage(processor)
  const sent = requests
  times.sort((one, next) => one - next)
  const digests = await notifications.digests(digestDay(new Date()))
  console.log({
    savers: SAVERS,
    pieces,
    seconds,
    processorMillisecondsOfEach: ((user + system) / 1000 / SAVERS).toFixed(1),
    requestsOfEach: (sent / SAVERS).toFixed(2),
    longestPieceMilliseconds: Math.round(times.at(-1) ?? 0),
    secondsUntilTheOther: otherSeconds,
    notified: digests.length,
    notifiedTwice: digests.filter(({ notificationIds }) => notificationIds.length > 1).length,
  })
} finally {
  await dynamo.stop()
}
