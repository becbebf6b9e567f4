import { type Clock, timestamp } from '#lib/kernel/clock'
import { dayAfter, daysOf, FIRST_DAY } from './span.ts'
import { type AccountSum, addUp, type BookReader, type Books } from './transaction.ts'

/** The number of days that are read at once. */
const DAYS_AT_ONCE = 20

/** Returns the balances at the end of a day: those of the last closed day, and what was moved since. */
export async function closedBalances(books: BookReader, day: string): Promise<AccountSum[]> {
  const closing = await books.closing(day)
  const days = daysOf(closing ? dayAfter(closing.day) : FIRST_DAY, dayAfter(day))
  let balances = closing?.balances ?? []
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
    const moved = await Promise.all(days.slice(first, first + DAYS_AT_ONCE).map((each) => books.sums(each)))
    balances = addUp([...balances, ...moved.flat()])
  }
  return balances
}

/**
 * Closes the books up to the day before yesterday, so that a balance is read from few days. Yesterday stays open, since a
 * transaction of its last moments may still be written. Safe to repeat.
 */
export async function closeLedger({ books, now }: { books: Books; now: Clock }): Promise<{ closed: number }> {
  const today = timestamp(now()).slice(0, 10)
  const yesterday = new Date(Date.parse(today) - 1).toISOString().slice(0, 10)
  const last = await books.closing(yesterday)
  // `daysOf` leaves out the day at its end.
  const days = daysOf(last ? dayAfter(last.day) : FIRST_DAY, yesterday)
  let balances = last?.balances ?? []
  for (const day of days) {
    balances = addUp([...balances, ...(await books.sums(day))])
    await books.close(day, balances)
  }
  return { closed: days.length }
}
