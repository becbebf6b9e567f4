import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '#lib/kernel/id'
import { startMailCatcher } from '#lib/local/mail-catcher'
import { layOut } from '#lib/mail/layout'
import { linkMailContent } from '#lib/mail/link-mail-content'
import { MailRefused } from '#lib/mail/mailer'
import { sesMailer, sesSendingRate } from '#lib/mail/mailer.ses'
import { smtpMailer } from '#lib/mail/mailer.smtp'

const FROM = 'no-reply@platform.test'
const LINK = 'https://www.platform.test/reset?from=mail&token=evt_01.abc'

const passwordResetMail = (link: string) => layOut(linkMailContent('en', 'password-reset', link, 1800))
const emailVerificationMail = (link: string) =>
  layOut(linkMailContent('en', 'email-verification', link, 86_400))

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platform-mail-'))
})

afterAll(() => rm(directory, { recursive: true }))

describe('a message', () => {
  it.each([
    ['to choose a new password', passwordResetMail],
    ['to confirm an address', emailVerificationMail],
  ])('%s shows its link in text and, escaped, in HTML', (_, template) => {
    const { text, html } = template(LINK)
    expect(text).toContain(`\n\n${LINK}\n\n`)
    const escaped = LINK.replace('&', '&amp;')
    expect(html).toContain(`href="${escaped}"`)
    expect(html).toContain(`>${escaped}</a>`)
    expect(html).not.toContain('&token')
  })

  it('cannot be made to carry markup by its link', () => {
    expect(passwordResetMail(`https://x/"><script>alert('')</script>`).html).not.toMatch(/<script|"><s/)
  })
})

describe('the catcher of the local stack', () => {
  type Catcher = Awaited<ReturnType<typeof startMailCatcher>>
  const asked = async (catcher: Catcher, path: string, init: RequestInit = {}) => {
    const server = createServer((request, response) =>
      catcher.routes
        .find(({ method }) => method === request.method)
        ?.handle(request, response, new URL(request.url ?? '', 'http://localhost')),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    server.close()
    return response
  }
  const listed = async (catcher: Catcher, query: string) =>
    ((await (await asked(catcher, `/local/mail${query}`)).json()) as { items: object[] }).items

  it('shows what was sent, the newest first, by recipient, and still after a restart', async () => {
    const lines: string[] = []
    const { subject, text, html } = passwordResetMail(LINK)
    const options = { port: 0, directory, report: (line: string) => lines.push(line) }
    const catcher = await startMailCatcher(options)
    const { send } = smtpMailer(`smtp://127.0.0.1:${catcher.port}`, FROM)
    await send({ to: 'Awa+1@example.com', ...passwordResetMail(LINK) })
    await send({ to: 'kofi@example.com', ...emailVerificationMail(LINK) })
    await send({ to: 'awa+1@example.com', subject: 'Ünïcode ✓', text: 'a line\n', html: '<p>é</p>\n' })
    await catcher.stop()

    const again = await startMailCatcher(options)
    onTestFinished(again.stop)
    expect(await listed(again, '?to=awa%2b1@example.com')).toEqual([
      {
        to: 'awa+1@example.com',
        subject: 'Ünïcode ✓',
        text: 'a line',
        html: '<p>é</p>',
        headers: expect.objectContaining({ to: 'awa+1@example.com' }),
        sentAt: expect.stringMatching(/\.\d{3}Z$/),
      },
      {
        to: 'Awa+1@example.com',
        subject,
        text: text.trimEnd(),
        html: html.trimEnd(),
        headers: expect.any(Object),
        sentAt: expect.any(String),
      },
    ])
    expect(await listed(again, '?to=awa+1@example.com')).toHaveLength(2)
    expect(await listed(again, '')).toHaveLength(3)
    expect(await listed(again, '?to=nobody@example.com')).toEqual([])
    expect(lines[0]).toBe(`to Awa+1@example.com: Choose a new password ${LINK}`)
  })

  it('fails as often as it is told to, for that address alone', async () => {
    const catcher = await startMailCatcher({ port: 0, directory, report: () => {} })
    onTestFinished(catcher.stop)
    const { send } = smtpMailer(`smtp://127.0.0.1:${catcher.port}`, FROM)
    const fail = (body: string) => asked(catcher, '/local/mail/failures', { method: 'POST', body })
    expect((await fail('{"to":"Busy@example.com","times":2}')).status).toBe(204)
    expect((await fail('{"times":2}')).status).toBe(400)
    expect((await fail('{')).status).toBe(400)
    const mail = { to: 'busy@example.com', ...passwordResetMail(LINK) }
    await expect(send(mail)).rejects.toThrow('451')
    await expect(send({ ...mail, to: 'calm@example.com' })).resolves.toBeUndefined()
    await expect(send(mail)).rejects.toThrow('451')
    await expect(send(mail)).resolves.toBeUndefined()
    expect(await listed(catcher, '?to=busy@example.com')).toHaveLength(1)
  })
})

describe('an SMTP server', () => {
  const answering = async (responseCode: number) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No'), { responseCode })),
    })
    const listening = server.listen(0, '127.0.0.1')
    await new Promise((resolve) => listening.once('listening', resolve))
    onTestFinished(() => void server.close())
    const { port } = listening.address() as AddressInfo
    return smtpMailer(`smtp://127.0.0.1:${port}`, FROM).send({
      to: 'awa@example.com',
      ...passwordResetMail(LINK),
    })
  }

  it('refuses for good by a reply of 500 and more, and for now by any other', async () => {
    await expect(answering(550)).rejects.toBeInstanceOf(MailRefused)
    await expect(answering(450)).rejects.not.toBeInstanceOf(MailRefused)
  })

  it('an SMTP server that is not there fails for now', async () => {
    const sent = smtpMailer('smtp://127.0.0.1:1', FROM).send({
      to: 'awa@example.com',
      ...passwordResetMail(LINK),
    })
    await expect(sent).rejects.not.toBeInstanceOf(MailRefused)
  })
})

/** An SES that answers every request alike; returns what it was sent. */
async function sesThatAnswers(answer: object): Promise<{ url: string | undefined; body: string }[]> {
  const seen: { url: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ url: request.url, body: Buffer.concat(chunks).toString() })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env['AWS_ENDPOINT_URL_SESV2'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    delete process.env['AWS_ENDPOINT_URL_SESV2']
    server.closeAllConnections()
    server.close()
  })
  return seen
}

describe('SES', () => {
  it('says how many mails a second it takes', async () => {
    const seen = await sesThatAnswers({ SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14 } })
    expect(await sesSendingRate()).toBe(14)
    expect(seen[0]?.url).toBe('/v2/email/account')
  })

  it('is given the message in UTF-8, text and HTML, and the id to report about it under', async () => {
    const seen = await sesThatAnswers({ MessageId: '1' })
    const id = newId('mail')
    const mail = { to: 'awa@example.com', subject: 'Ü', text: 'a\n', html: '<p>é</p>' }
    await sesMailer(FROM, 'prod').send(mail, id)
    expect(seen[0]?.url).toBe('/v2/email/outbound-emails')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      FromEmailAddress: FROM,
      ConfigurationSetName: 'platform-api-prod',
      EmailTags: [{ Name: 'mail', Value: id }],
      Destination: { ToAddresses: ['awa@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Ü', Charset: 'UTF-8' },
          Body: { Text: { Data: 'a\n', Charset: 'UTF-8' }, Html: { Data: '<p>é</p>', Charset: 'UTF-8' } },
        },
      },
    })
  })
})
