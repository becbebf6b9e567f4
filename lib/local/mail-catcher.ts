import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import type { LocalRoute } from './gateway/gateway.ts'

const LARGEST_MAIL_BYTES = 10 * 1024 * 1024
/** The time that open connections have to end when the server stops. */
const CLOSE_MILLISECONDS = 500

const CaughtMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Headers by lower-case name; of a repeated header the last. */
  headers: z.record(z.string(), z.string()).default({}),
  sentAt: Timestamp,
})
type CaughtMail = z.infer<typeof CaughtMail>

type MailCatcherOptions = {
  /** 0 picks a free one. */
  port: number
  directory: string
  /** Receives a line about each mail. */
  report: (line: string) => void
}

/**
 * Starts an SMTP server on the loopback address that delivers no mail: it stores mail and shows it, the newest first, at
 * `GET /local/mail?to=`. `POST /local/mail/failures {to, times}` makes the next `times` mails to an address fail
 * temporarily.
 */
export async function startMailCatcher({ port, directory, report }: MailCatcherOptions) {
  await mkdir(directory, { recursive: true })
  const box = openBox(join(directory, 'mail.sqlite'))
  const failures = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: LARGEST_MAIL_BYTES,
    closeTimeout: CLOSE_MILLISECONDS,
    onRcptTo: ({ address }, _session, done) => {
      const left = failures.get(address.toLowerCase()) ?? 0
      failures.set(address.toLowerCase(), Math.max(0, left - 1))
      done(left > 0 ? Object.assign(new Error('The mailbox is busy'), { responseCode: 451 }) : null)
    },
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address)
      catchMail(stream, recipients)
        .then((mails) => {
          for (const mail of mails) {
            box.add(mail)
            report(summaryOf(mail))
          }
          done()
        })
        .catch(done)
    },
  })
  // An error, such as a client that hangs up, must not end the catcher.
  server.on('error', (error) => report(`${error}`))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    routes: [mailRoute(box.listNewestFirst), failuresRoute(failures)],
    stop: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      box.close()
    },
  }
}

async function catchMail(
  stream: NodeJS.ReadableStream,
  recipients: readonly string[],
): Promise<CaughtMail[]> {
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(await buffer(stream))
  const mail = {
    subject,
    // SMTP ends every message with a line break of its own.
    text: text.trimEnd(),
    html: html.trimEnd(),
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    sentAt: timestamp(new Date()),
  }
  return recipients.map((to) => ({ to, ...mail }))
}

function summaryOf({ to, subject, text }: CaughtMail): string {
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? []
  return `to ${to}: ${subject} ${link}`.trim()
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS mails (place INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT, mail TEXT);
  CREATE INDEX IF NOT EXISTS by_address ON mails (address, place);
`

/** Opens a database of mail, so that mail survives a restart, and one address is found among thousands of mails. */
function openBox(file: string) {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`)
  const insert = database.prepare('INSERT INTO mails (address, mail) VALUES (?, ?)')
  const all = database.prepare('SELECT mail FROM mails ORDER BY place DESC')
  const ofAddress = database.prepare('SELECT mail FROM mails WHERE address = ? ORDER BY place DESC')
  return {
    add: (mail: CaughtMail) => void insert.run(mail.to.toLowerCase(), JSON.stringify(mail)),
    listNewestFirst: (address?: string): CaughtMail[] => {
      const rows = address === undefined ? all.all() : ofAddress.all(address)
      return rows.map(({ mail }) => CaughtMail.parse(JSON.parse(`${mail}`)))
    },
    close: () => database.close(),
  }
}

const mailRoute = (listNewestFirst: (address?: string) => CaughtMail[]): LocalRoute => ({
  method: 'GET',
  path: '/local/mail',
  handle: (_, response, url) => {
    // A `+` that was not encoded reads as a blank, which no address has.
    const to = url.searchParams.get('to')?.replaceAll(' ', '+').toLowerCase()
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(JSON.stringify({ items: listNewestFirst(to) }))
  },
})

const Failures = z.object({ to: z.string().min(1), times: z.int().min(0).max(1000) })

const failuresRoute = (failures: Map<string, number>): LocalRoute => ({
  method: 'POST',
  path: '/local/mail/failures',
  handle: async (request, response) => {
    const { data } = Failures.safeParse(parsed((await buffer(request)).toString()))
    if (data) failures.set(data.to.toLowerCase(), data.times)
    response.writeHead(data ? 204 : 400).end()
  },
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
