/** A list price of us-east-1, in US dollars, and the price list of AWS that it was read from. */
export type Price = {
  of: string
  dollars: number
  list: string
  /** The day of the list; undefined where the list was quoted without one. */
  read: string | undefined
}

/** AWS's prices without its free tiers. Each was looked up; beyond 300 million requests the gateway's falls to 0.90. */
export const PRICES = {
  readUnits: { of: 'a million read units', dollars: 0.125, list: 'AmazonDynamoDB', read: '2026-09-06' },
  writeUnits: { of: 'a million write units', dollars: 0.625, list: 'AmazonDynamoDB', read: '2026-09-06' },
  gateway: {
    of: 'a million requests to the gateway',
    dollars: 1,
    list: 'AmazonApiGateway',
    read: '2026-10-08',
  },
  front: { of: 'a million HTTPS requests', dollars: 1, list: 'AmazonCloudFront', read: '2026-10-08' },
  frontGigabyte: { of: 'a GB to callers', dollars: 0.085, list: 'AmazonCloudFront', read: '2026-10-08' },
  invocations: { of: 'a million invocations', dollars: 0.2, list: 'AWSLambda', read: '2026-09-11' },
  computing: { of: 'a GB-second on x86', dollars: 0.0000166667, list: 'AWSLambda', read: '2026-09-11' },
  queueRequests: {
    of: 'a million requests to an ordered queue',
    dollars: 0.5,
    list: 'AWSQueueService',
    read: '2026-10-08',
  },
  events: { of: 'a million events', dollars: 1, list: 'AWSEvents', read: '2026-10-08' },
  logGigabyte: { of: 'a GB of logs', dollars: 0.5, list: 'AmazonCloudWatch', read: '2026-09-21' },
  alarmMetric: {
    of: 'a metric in an alarm, a month',
    dollars: 0.1,
    list: 'AmazonCloudWatch',
    read: '2026-09-21',
  },
  ownMetric: {
    of: 'a metric of our own, a month',
    dollars: 0.3,
    list: 'AmazonCloudWatch',
    read: '2026-09-21',
  },
  dashboard: { of: 'a dashboard, a month', dollars: 3, list: 'AmazonCloudWatch', read: undefined },
  secret: { of: 'a secret, a month', dollars: 0.4, list: 'AWSSecretsManager', read: '2026-09-11' },
} as const satisfies Record<string, Price>

/** What a request of a kind reads and writes at most, in DynamoDB's units; `share` is its part of all requests. */
export type RequestKind = { what: string; share: number; reads: number; writes: number }

/** A day of customers who look a lot and pay seldom. `test/docs/costs.test.ts` counts the units of each kind. */
export const MIX = {
  search: { what: 'a full page of a search', share: 0.5, reads: 42, writes: 0 },
  listing: { what: 'one listing', share: 0.3, reads: 3, writes: 0 },
  notices: { what: 'notifications', share: 0.1, reads: 3, writes: 0 },
  profile: { what: 'the own profile', share: 0.05, reads: 1, writes: 0 },
  refresh: { what: 'a refreshed session', share: 0.03, reads: 3, writes: 1 },
  login: { what: 'a sign-in', share: 0.01, reads: 6, writes: 12 },
  enquiry: { what: 'an enquiry', share: 0.007, reads: 6, writes: 20 },
  payment: { what: 'a payment with its callback', share: 0.003, reads: 10, writes: 66 },
} as const satisfies Record<string, RequestKind>

/** What stands in a stack whatever is asked. `test/package/template.test.ts` counts it in the packaged template. */
export const STANDING = { alarmMetrics: 48, ownMetrics: 8, dashboards: 1, queues: 11, jobsEveryMinute: 5 }
const SECRETS = 1

/** What a request takes beside DynamoDB: measured in `test/bench`, rounded up. Functions have one GB of memory. */
const COMPUTING_SECONDS = 0.06
const ANSWER_GIGABYTES = 6e-6
/** Our line, Lambda's three and the gateway's. */
const LOG_GIGABYTES = 1.2e-6
/** A write is followed by an event and about three messages in queues, each with a function. */
const WRITING_SHARE = 0.05
const MESSAGES_A_WRITE = 3
/** Sent, received, deleted. */
const REQUESTS_A_MESSAGE = 3

const DAYS = 30
const MINUTES_A_MONTH = DAYS * 24 * 60
/**
 * Lambda asks an empty queue with five long polls of twenty seconds.
 *
 * @see https://aws.amazon.com/premiumsupport/knowledge-center/sqs-high-charges/
 */
const POLLS_A_MINUTE = 15

/** What so many invocations cost, in US dollars. */
const invoked = (millions: number): number =>
  millions * (PRICES.invocations.dollars + 1e6 * COMPUTING_SECONDS * PRICES.computing.dollars)

/** What a million requests of the mix cost, by service, in US dollars. */
export function millionRequests(): Record<string, number> {
  const units = (kind: 'reads' | 'writes') =>
    Object.values(MIX).reduce((sum, request) => sum + request.share * request[kind], 0)
  const messages = WRITING_SHARE * MESSAGES_A_WRITE
  return {
    DynamoDB: units('reads') * PRICES.readUnits.dollars + units('writes') * PRICES.writeUnits.dollars,
    Lambda: invoked(1 + messages),
    'API Gateway': PRICES.gateway.dollars,
    CloudFront: PRICES.front.dollars + 1e6 * ANSWER_GIGABYTES * PRICES.frontGigabyte.dollars,
    logs: (1 + messages) * 1e6 * LOG_GIGABYTES * PRICES.logGigabyte.dollars,
    'queues and events':
      messages * REQUESTS_A_MESSAGE * PRICES.queueRequests.dollars + WRITING_SHARE * PRICES.events.dollars,
  }
}

/** What a stack costs in a month in which nobody asks anything, in US dollars. */
export const standingMonth = (): number =>
  STANDING.alarmMetrics * PRICES.alarmMetric.dollars +
  STANDING.ownMetrics * PRICES.ownMetric.dollars +
  STANDING.dashboards * PRICES.dashboard.dollars +
  SECRETS * PRICES.secret.dollars +
  ((STANDING.queues * POLLS_A_MINUTE * MINUTES_A_MONTH) / 1e6) * PRICES.queueRequests.dollars +
  invoked((STANDING.jobsEveryMinute * MINUTES_A_MONTH) / 1e6)

/** What a month costs at so many requests a day, in whole US dollars. */
export const monthAt = (requestsADay: number): number => {
  const million = Object.values(millionRequests()).reduce((sum, each) => sum + each, 0)
  return Math.round(standingMonth() + ((requestsADay * DAYS) / 1e6) * million)
}

/** The figures as Markdown, for the operator's book. */
export function costsInMarkdown(): string {
  const kinds = Object.values(MIX).map(
    ({ what, share, reads, writes }) => `| ${what} | ${(share * 100).toFixed(1)} % | ${reads} | ${writes} |`,
  )
  const prices = Object.values(PRICES).map(
    ({ of, dollars, list, read }) => `| ${of} | ${dollars} | ${list} | ${read ?? 'without a date'} |`,
  )
  const services = Object.entries(millionRequests()).map(
    ([service, dollars]) => `| ${service} | ${dollars.toFixed(2)} |`,
  )
  const months = [1_000, 100_000, 10_000_000].map(
    (requests) => `| ${requests.toLocaleString('en')} | ${monthAt(requests).toLocaleString('en')} |`,
  )
  return [
    '| request | share | read units | write units |\n|---|--:|--:|--:|',
    ...kinds,
    '',
    '| price of | US dollars | price list | read |\n|---|--:|---|---|',
    ...prices,
    '',
    '| a million requests | US dollars |\n|---|--:|',
    ...services,
    '',
    `Before the first request a stack costs ${standingMonth().toFixed(0)} dollars a month: ${STANDING.alarmMetrics} metrics in alarms, ` +
      `${STANDING.queues} queues that Lambda asks all the time, ${STANDING.jobsEveryMinute} jobs every minute, a dashboard and a secret.`,
    '',
    '| requests a day | US dollars a month |\n|--:|--:|',
    ...months,
  ].join('\n')
}
