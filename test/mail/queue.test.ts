import { describe, expect, it } from 'vitest'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as retryMails } from '#functions/jobs/retry-mails'
import { spec as sendMail } from '#functions/jobs/send-mail'
import { spec as listUnsentMails } from '#functions/notifications/list-unsent-mails'
import { spec as sendMailAgain } from '#functions/notifications/send-mail-again'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { type MailId, newId, UserId } from '#lib/kernel/id'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailAgainKey, mailRequestKey, mailUnsentKey } from '#lib/mail/mail-request.keys'
import { type Mail, MailRefused } from '#lib/mail/mailer'
import { call } from '#test/support/call'
import { aUser, consoleToken } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { tokenIn } from '#test/support/mail'
import { mailsOf } from '#test/support/notifications'
import { tableChanges } from '#test/support/table-changes'
import { testTable } from '#test/support/test-table'

/** A mail that was asked for, and its item. */
async function aRequest(at = new Date(), { isUndo = false } = {}) {
  const user = await aUser()
  const { email } = user
  const id = newId('mail')
  const queue = openMailQueue(testTable())
  const request = {
    id,
    at: timestamp(at),
    purpose: isUndo ? 'email-undo' : 'password-reset',
    email,
    registration: null,
    userId: isUndo ? UserId.parse(user.id) : null,
    sessionId: null,
    network: null,
  } as const
  await queue.commit([queue.request(request)])
  return { id, email, item: (await testTable().get(mailRequestKey(id))) ?? {} }
}

/** Stores mails that are no longer wanted and have been due for as many minutes. */
async function notificationsDue(count: number, minutesAgo: number): Promise<void> {
  const queue = openMailQueue(testTable())
  const at = timestamp(new Date())
  const due = {
    attempts: 1,
    error: null,
    dueAt: timestamp(minutes(-minutesAgo).now()),
    isClaimed: false,
    doneAt: null,
  }
  const requests = Array.from({ length: count }, () => {
    const id = newId('mail')
    const notification = { userId: newId('user'), notificationId: newId('notification'), name: 'message' }
    return { id, at, ...notification }
  })
  for (const request of requests) {
    await queue.commit([queue.request(request)])
    const seen = await queue.get(request.id)
    if (seen) await queue.commit(queue.progress(seen, due, new Date()))
  }
}

const minutes = (count: number) => {
  const moment = new Date(Date.now() + count * 60_000)
  return { now: () => moment }
}

const failing = (error: Error) => ({ mailer: { send: async () => Promise.reject(error) } })

/** What the schedule sends at some minutes from now, second by second. */
async function retriedBySecond(count: number, deps: object = {}): Promise<Mail[][]> {
  const seconds: Mail[][] = [[]]
  const mailer = { send: async (mail: Mail) => void seconds.at(-1)?.push(mail) }
  const sleep = async () => void seconds.push([])
  const measure = (what: string, seconds: number) => {
    if (what === 'OldestDueMail') waited.push(seconds)
  }
  await runJob(retryMails, { mailer, measure, sleep, ...minutes(count), ...deps })
  return seconds
}

const retriedAt = async (count: number): Promise<Mail[]> => (await retriedBySecond(count)).flat()

/** How long the mail that was longest due had waited, by the run. */
const waited: number[] = []

const unsent = async (id: MailId) => {
  const { body } = await call(listUnsentMails, { token: await consoleToken(), query: { limit: '100' } })
  return body.items.find((mail) => mail.id === id)
}

describe('a mail', () => {
  it('is sent once, however often it is delivered at once', async () => {
    const { item } = await aRequest()
    const sent = await Promise.all(Array.from({ length: 20 }, () => mailsOf([item])))
    expect(sent.flat()).toHaveLength(1)
  })

  it('a mail that could not be sent is tried again after a minute, and shown to administrators until it is sent', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new Error(`450 <${email}> is busy`)))
    expect(await unsent(id)).toEqual({
      id,
      kind: 'password-reset',
      userId: null,
      error: 'Error: 450 <<address>> is busy',
      attempts: 1,
      at: item['at'],
    })
    expect(await mailsOf([item])).toEqual([])
    expect((await retriedAt(0)).filter(({ to }) => to === email)).toEqual([])
    expect((await retriedAt(2)).filter(({ to }) => to === email)).toHaveLength(1)
    expect(waited.at(-1)).toBeGreaterThan(0)
    expect((await retriedAt(3)).filter(({ to }) => to === email)).toEqual([])
    expect(await unsent(id)).toBeUndefined()
  })

  it('a mail that could not be sent is shown without its address, in whatever case a server writes it', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new Error(`450 <${email.toUpperCase()}> is busy, ${email}`)))
    expect(await unsent(id)).toMatchObject({ error: 'Error: 450 <<address>> is busy, <address>' })
  })

  it('a mail that could not be sent leaves the list when it expires', async () => {
    const { id, item } = await aRequest()
    await mailsOf([item], failing(new MailRefused('550 no such user')))
    await call(sendMailAgain, { token: await consoleToken(), params: { id } })
    await mailsOf([(await testTable().get(mailAgainKey(id))) ?? {}], {
      ...failing(new Error('421')),
      ...minutes(60),
    })
    const [mail, entry] = await Promise.all(
      [mailRequestKey(id), mailUnsentKey(String(item['at']), id)].map((key) => testTable().get(key)),
    )
    const inSevenDays = Math.floor(
      minutes(60 + 7 * 24 * 60)
        .now()
        .getTime() / 1000,
    )
    expect(mail?.['expiresAtSeconds']).toBeGreaterThan(inSevenDays - 60)
    expect(entry?.['expiresAtSeconds']).toBe(mail?.['expiresAtSeconds'])
  })

  it('a mail that fails keeps no other waiting', async () => {
    const [first, second] = [await aRequest(), await aRequest()]
    const sent: string[] = []
    const send = async ({ to }: Mail) => {
      if (to === first.email) throw new Error('421 not now')
      sent.push(to)
    }
    await mailsOf([first.item, second.item], { mailer: { send } })
    expect(sent).toEqual([second.email])
  })

  it('a mail that is refused for good waits for an administrator, who may send it at any time', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new MailRefused('550 no such user')))
    expect((await retriedAt(10)).filter(({ to }) => to === email)).toEqual([])
    expect(await unsent(id)).toMatchObject({ attempts: 1 })

    const token = await consoleToken()
    const keyed = { token, params: { id }, headers: { 'idempotency-key': id } }
    expect(await call(sendMailAgain, keyed)).toMatchObject({ status: 202 })
    const again = (await testTable().get(mailAgainKey(id))) ?? {}
    expect((await mailsOf([again], minutes(120))).map(({ to }) => to)).toEqual([email])
    expect(await unsent(id)).toBeUndefined()
    expect(await call(sendMailAgain, { token, params: { id } })).toMatchObject({ status: 404 })
    expect((await call(sendMailAgain, keyed)).headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  it('a mail that an administrator sends again later holds a link that works', async () => {
    const { id, item } = await aRequest()
    await mailsOf([item], failing(new MailRefused('550 no such user')))
    const params = { id }
    expect(await call(sendMailAgain, { token: await consoleToken(), params })).toMatchObject({ status: 202 })
    const again = (await testTable().get(mailAgainKey(id))) ?? {}
    const [mail] = await mailsOf([again], minutes(120))
    const body = { token: tokenIn(mail), newPassword: 'nine herons over the weir' }
    expect(await call(resetPassword, { body, deps: minutes(149) })).toMatchObject({ status: 204 })
  })

  it('a mail that an administrator sends again in vain is sent when they send it once more', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new MailRefused('550 no such user')))
    const sendAgain = async (deps?: Record<string, unknown>) => {
      const changes = await tableChanges(sendMail)
      const answer = await call(sendMailAgain, { token: await consoleToken(), params: { id } })
      expect(answer).toMatchObject({ status: 202 })
      return mailsOf(
        (await changes()).map(({ after = {} }) => after),
        deps,
      )
    }
    expect(await sendAgain(failing(new MailRefused('550 no such user')))).toEqual([])
    expect((await sendAgain()).map(({ to }) => to)).toEqual([email])
  })

  it('a mail that a sender has is not sent a second time by an administrator', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new Error('450 busy')))
    const sent: string[] = []
    const sendAgain = async () => {
      const changes = await tableChanges(sendMail)
      const answer = await call(sendMailAgain, { token: await consoleToken(), params: { id } })
      expect(answer).toMatchObject({ status: 202 })
      const again = (await changes()).map(({ after = {} }) => after)
      await mailsOf(again, { mailer: { send: async () => void sent.push('again') } })
    }
    const send = async ({ to }: Mail) => {
      if (to !== email) return
      await sendAgain()
      sent.push(to)
    }
    await retriedBySecond(2, { mailer: { send } })
    expect(sent).toEqual([email])
    expect(await unsent(id)).toBeUndefined()
  })

  it('a mail that an administrator sends again is not tried by the schedule as well', async () => {
    const { id, email, item } = await aRequest()
    await mailsOf([item], failing(new Error('450 busy')))
    const params = { id }
    expect(await call(sendMailAgain, { token: await consoleToken(), params })).toMatchObject({ status: 202 })
    expect((await retriedAt(2)).filter(({ to }) => to === email)).toEqual([])
    const again = (await testTable().get(mailAgainKey(id))) ?? {}
    expect((await mailsOf([again], minutes(3))).map(({ to }) => to)).toEqual([email])
  })

  it('a mail that is too old when its turn comes is not sent', async () => {
    const { item } = await aRequest(new Date(Date.now() - 31 * 60_000))
    expect(await mailsOf([item])).toEqual([])
  })

  it('a link that undoes a change of address is sent for a day, since its reader cannot ask for another', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const { email, item } = await aRequest(hoursAgo(23), { isUndo: true })
    expect((await mailsOf([item])).map(({ to }) => to)).toEqual([email])
    const { item: late } = await aRequest(hoursAgo(25), { isUndo: true })
    expect(await mailsOf([late])).toEqual([])
  })

  it('whose sender died is sent by the schedule', async () => {
    const { id, email } = await aRequest()
    const queue = openMailQueue(testTable())
    const seen = await queue.get(id)
    if (!seen) throw new Error('The request is gone')
    const dueAt = timestamp(new Date(Date.now() + 60_000))
    await queue.commit(queue.progress(seen, { ...seen.progress, dueAt }, new Date()))
    expect((await retriedAt(2)).filter(({ to }) => to === email)).toHaveLength(1)
  })

  it('a mail that has expired leaves the list of those due', async () => {
    const { id } = await aRequest()
    const queue = openMailQueue(testTable())
    const seen = await queue.get(id)
    if (!seen) throw new Error('The request is gone')
    const dueAt = timestamp(new Date(Date.now() - 60 * 60_000))
    await queue.commit(queue.progress(seen, { ...seen.progress, dueAt }, new Date()))
    // The time to live of the mail removes this item and no other.
    await testTable().commit([TABLE_WRITES.remove(mailRequestKey(id))])
    await retriedAt(0)
    expect((await queue.due(dueAt, 100)).filter((due) => due.id === id)).toEqual([])
  })

  it('a mail with a link is tried before others that have been due for longer', async () => {
    await notificationsDue(8, 60)
    const { email, item } = await aRequest()
    await mailsOf([item], failing(new Error('450 busy')))
    const [first = []] = await retriedBySecond(2, { sendingRate: async () => 2 })
    expect(first.map(({ to }) => to)).toEqual([email])
    expect(waited.at(-1)).toBeGreaterThan(60 * 60)
  })

  it('mails are tried again at half the rate that is allowed, until none is due', async () => {
    const requests = [
      await aRequest(),
      await aRequest(),
      await aRequest(),
      await aRequest(),
      await aRequest(),
    ]
    for (const { item } of requests) await mailsOf([item], failing(new Error('450 busy')))
    const seconds = await retriedBySecond(2, { sendingRate: async () => 4.5 })
    expect(seconds.map((mails) => mails.length)).toEqual([2, 2, 1, 0])
  })

  it('mails that a run of 40 seconds does not reach are left to the next run', async () => {
    const requests = [await aRequest(), await aRequest(), await aRequest()]
    for (const { item } of requests) await mailsOf([item], failing(new Error('450 busy')))
    const { now: start } = minutes(2)
    let passed = 0
    const now = () => new Date(start().getTime() + passed)
    const sleep = async () => {
      passed += 25_000
    }
    const sent: Mail[] = []
    const mailer = { send: async (mail: Mail) => void sent.push(mail) }
    await runJob(retryMails, { mailer, sleep, now, sendingRate: async () => 1 })
    expect(sent).toHaveLength(2)
    expect(await retriedAt(3)).toHaveLength(1)
  })

  it('an unknown mail is a 404', async () => {
    const token = await consoleToken()
    for (const id of [newId('mail'), 'nonsense', (await aRequest()).id]) {
      expect(await call(sendMailAgain, { token, params: { id } })).toMatchObject({ status: 404 })
    }
  })
})
