import { describe, expect, it } from 'vitest'
import { spec as suppressAddresses } from '#functions/jobs/suppress-addresses'
import { spec as listUnsentMails } from '#functions/notifications/list-unsent-mails'
import { spec as sendMailAgain } from '#functions/notifications/send-mail-again'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { timestamp } from '#lib/kernel/clock'
import { type MailId, newId } from '#lib/kernel/id'
import { dropMails } from '#lib/mail/drop-mails'
import { readMailEvent } from '#lib/mail/mail-event'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailAgainKey, mailRequestKey } from '#lib/mail/mail-request.keys'
import { openSuppressionList } from '#lib/mail/suppression.dynamo'
import { call } from '#test/support/call'
import { aUser, consoleToken, PASSWORD } from '#test/support/given'
import { mailsOf } from '#test/support/notifications'
import { deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

/** A request for mail to an address. */
async function aRequest(email: string) {
  const id = newId('mail')
  const queue = openMailQueue(testTable())
  const request = {
    ...({ id, at: timestamp(new Date()), purpose: 'password-reset', email } as const),
    ...{ registration: null, userId: null, sessionId: null },
  }
  await queue.commit([queue.request(request)])
  return { id, item: (await testTable().get(mailRequestKey(id))) ?? {} }
}

/** A request whose mail was sent. */
async function aSentMail() {
  const { email, token } = await aUser()
  const { id, item } = await aRequest(email)
  expect(await mailsOf([item])).toHaveLength(1)
  return { id, email, token }
}

const bounce = (id: MailId, address: string, bounceType = 'Permanent') => ({
  eventType: 'Bounce',
  mail: { messageId: '0100', tags: { mail: [id], 'ses:from-domain': ['example.com'] } },
  bounce: {
    bounceType,
    bounceSubType: 'General',
    timestamp: '2026-11-23T07:00:00Z',
    bouncedRecipients: [{ emailAddress: address, diagnosticCode: `smtp; 550 5.1.1 <${address}> unknown` }],
  },
})
const complaint = (id: MailId, address: string) => ({
  eventType: 'Complaint',
  mail: { messageId: '0100', tags: { mail: [id] } },
  complaint: {
    complaintFeedbackType: 'abuse',
    timestamp: '2026-11-23T07:00:00.000Z',
    complainedRecipients: [{ emailAddress: address }],
  },
})

const reported = (...events: object[]) => deliveredTo(suppressAddresses, events)

const unsent = async (id: MailId) => {
  const { body } = await call(listUnsentMails, { token: await consoleToken(), query: { limit: '100' } })
  return body.items.find((mail) => mail.id === id)
}

/** What an administrator brings about who sends a mail again. */
async function sentAgain(id: MailId) {
  const answer = await call(sendMailAgain, { token: await consoleToken(), params: { id } })
  expect(answer).toMatchObject({ status: 202 })
  return mailsOf([(await testTable().get(mailAgainKey(id))) ?? {}])
}

describe('a mail that bounces for good', () => {
  it('comes back among those that could not be sent, without its address', async () => {
    const { id, email } = await aSentMail()
    expect(await unsent(id)).toBeUndefined()
    expect(await reported(bounce(id, email))).toEqual([{ suppressed: 1 }])
    expect(await unsent(id)).toMatchObject({
      kind: 'password-reset',
      attempts: 1,
      error: 'Bounced: Permanent General: smtp; 550 5.1.1 <<address>> unknown',
    })
  })

  it('comes back with an answer so long that it is cut in the middle of a character', async () => {
    const { id, email } = await aSentMail()
    const event = bounce(id, email)
    const bouncedRecipients = [{ emailAddress: email, diagnosticCode: `a${'\u{1f4ee}'.repeat(300)}` }]
    await reported({ ...event, bounce: { ...event.bounce, bouncedRecipients } })
    expect(await unsent(id)).toMatchObject({ error: expect.stringMatching(/^Bounced: .*\ufffd$/) })
  })

  it('comes back although its first attempt had failed', async () => {
    const { email } = await aUser()
    const { id, item } = await aRequest(email)
    const mailer = { send: async () => Promise.reject(new Error('450 busy')) }
    await mailsOf([item], { mailer })
    expect(await sentAgain(id)).toHaveLength(1)
    await reported(bounce(id, email))
    expect(await unsent(id)).toMatchObject({ attempts: 2, error: expect.stringContaining('Bounced') })
  })

  it('ends mail to its address, in whatever case it is written, and administrators see why', async () => {
    const { id, email } = await aSentMail()
    await reported(bounce(id, email.toUpperCase()))
    const next = await aRequest(email)
    expect(await mailsOf([next.item])).toEqual([])
    expect(await unsent(next.id)).toMatchObject({
      error: 'AddressSuppressed: a mail to this address bounced at 2026-11-23T07:00:00.000Z',
    })
  })

  it('is written to again once an administrator sends a mail again', async () => {
    const { id, email } = await aSentMail()
    await reported(bounce(id, email))
    expect((await sentAgain(id)).map(({ to }) => to)).toEqual([email])
    expect(await unsent(id)).toBeUndefined()
    const next = await aRequest(email)
    expect(await mailsOf([next.item])).toHaveLength(1)
  })

  it('changes nothing when it is reported twice', async () => {
    const { id, email } = await aSentMail()
    const results = await reported(bounce(id, email), bounce(id, email))
    expect(results).toHaveLength(2)
    expect(results).toEqual(expect.arrayContaining([{ suppressed: 1 }, { suppressed: 0 }]))
    expect(await unsent(id)).toMatchObject({ attempts: 1 })
  })

  it('waits while its sender still holds it', async () => {
    const { email } = await aUser()
    const { id } = await aRequest(email)
    await expect(reported(bounce(id, email))).rejects.toThrow('still holds it')
    expect(await openSuppressionList(testTable()).get(email)).toBeUndefined()
  })
})

describe('a mail that bounces for now', () => {
  it('is listed, and its address still written to', async () => {
    const { id, email } = await aSentMail()
    expect(await reported(bounce(id, email, 'Transient'))).toEqual([{ suppressed: 0 }])
    expect(await unsent(id)).toMatchObject({ error: expect.stringContaining('Bounced: Transient General') })
    const next = await aRequest(email)
    expect(await mailsOf([next.item])).toHaveLength(1)
  })
})

describe('a complaint', () => {
  it('ends mail to its address, and leaves the mail that arrived as it is', async () => {
    const { id, email } = await aSentMail()
    await reported(complaint(id, email))
    expect(await unsent(id)).toBeUndefined()
    const next = await aRequest(email)
    expect(await mailsOf([next.item])).toEqual([])
    expect(await unsent(next.id)).toMatchObject({ error: expect.stringContaining('was complained of') })
  })
})

describe('a suppression', () => {
  it('is made for a mail that is not of the service any more', async () => {
    const { email } = await aUser()
    expect(await reported(bounce(newId('mail'), `Somebody <${email}>`))).toEqual([{ suppressed: 1 }])
    expect(await openSuppressionList(testTable()).get(email)).toMatchObject({ reason: 'bounced' })
  })

  it('is not made for a person whose account has ended since the mail was sent, and the mail stays done', async () => {
    for (const report of [bounce, complaint]) {
      const { id, email, token } = await aSentMail()
      const deletion = await call(deleteAccount, { token, body: { password: PASSWORD } })
      expect(deletion).toMatchObject({ status: 204 })
      expect(await reported(report(id, email))).toEqual([{ suppressed: 0 }])
      expect(await openSuppressionList(testTable()).get(email)).toBeUndefined()
      expect(await unsent(id)).toBeUndefined()
      expect(JSON.stringify(await testTable().get(mailRequestKey(id)))).not.toContain(email)
    }
  })

  it('is forgotten with the person', async () => {
    const { id, email } = await aSentMail()
    await reported(complaint(id, email))
    const [mails, suppressions] = [openMailQueue(testTable()), openSuppressionList(testTable())]
    await dropMails({ mails, suppressions, now: () => new Date() }, { userId: newId('user'), email })
    expect(await suppressions.get(email)).toBeUndefined()
  })
})

it('The line with which SES tries out a topic is no event.', () => {
  expect(readMailEvent('Successfully validated SNS topic for Amazon SES event publishing.')).toBeUndefined()
})
