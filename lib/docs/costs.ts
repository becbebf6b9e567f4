/** AWS's list prices of us-east-1 in US dollars, as they were published in July 2025. Other regions cost up to 1.3 times. */
export const PRICES = {
  date: 'July 2025',
  millionReadUnits: 0.125,
  millionWriteUnits: 0.625,
  millionGatewayRequests: 1,
  millionLambdaRequests: 0.2,
  lambdaGigabyteSecond: 0.0000166667,
  millionFrontRequests: 1,
  frontGigabyte: 0.085,
  logGigabyte: 0.5,
  millionQueueMessages: 0.5,
} as const

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

/** What a request takes beside DynamoDB: measured in `test/bench`, rounded up. */
const LAMBDA_SECONDS = 0.06
const ANSWER_GIGABYTES = 6e-6
const LOG_GIGABYTES = 1e-6
/** A write is followed by about three messages in queues, each with a function. */
const MESSAGES_A_WRITE = 3
const WRITING_SHARE = 0.05

const DAYS = 30
/** What costs the same whatever is asked: alarms, a dashboard, secrets, schedules that run every minute. */
const FIXED_A_MONTH = 12

/** What a million requests of the mix cost, by service, in US dollars. */
export function millionRequests(): Record<string, number> {
  const units = (kind: 'reads' | 'writes') =>
    Object.values(MIX).reduce((sum, request) => sum + request.share * request[kind], 0)
  const calls = 1 + WRITING_SHARE * MESSAGES_A_WRITE
  return {
    DynamoDB: units('reads') * PRICES.millionReadUnits + units('writes') * PRICES.millionWriteUnits,
    Lambda: calls * (PRICES.millionLambdaRequests + 1e6 * LAMBDA_SECONDS * PRICES.lambdaGigabyteSecond),
    'API Gateway': PRICES.millionGatewayRequests,
    CloudFront: PRICES.millionFrontRequests + 1e6 * ANSWER_GIGABYTES * PRICES.frontGigabyte,
    'logs and queues':
      calls * 1e6 * LOG_GIGABYTES * PRICES.logGigabyte +
      WRITING_SHARE * MESSAGES_A_WRITE * PRICES.millionQueueMessages,
  }
}

/** What a month costs at so many requests a day, in whole US dollars. */
export const monthAt = (requestsADay: number): number => {
  const million = Object.values(millionRequests()).reduce((sum, each) => sum + each, 0)
  return Math.round(FIXED_A_MONTH + ((requestsADay * DAYS) / 1e6) * million)
}

/** The figures as Markdown, for the operator's book. */
export function costsInMarkdown(): string {
  const kinds = Object.values(MIX).map(
    ({ what, share, reads, writes }) => `| ${what} | ${(share * 100).toFixed(1)} % | ${reads} | ${writes} |`,
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
    `| a million requests | US dollars |\n|---|--:|`,
    ...services,
    '',
    '| requests a day | US dollars a month |\n|--:|--:|',
    ...months,
  ].join('\n')
}
