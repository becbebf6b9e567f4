import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpSpec, routesOfSpec } from '#lib/http/spec'
import { type Call, call } from '#test/support/call'
import { httpSpecs } from '#test/support/function-modules'
import { testTable } from '#test/support/test-table'
import { startWaitCounter, waitsOf } from '#test/support/waits'
import { visitAccounts } from './accounts.ts'
import { visitAdministration } from './administration.ts'
import { visitEnquiries } from './enquiries.ts'
import { visitFactors } from './factors.ts'
import { visitListings } from './listings.ts'
import { visitNotifications } from './notifications.ts'
import { visitPayments } from './payments.ts'
import { visitPayouts } from './payouts.ts'
import { visitService } from './service.ts'
import { WAITS } from './waits.ts'

const TOURS = [
  visitAccounts,
  visitFactors,
  visitListings,
  visitEnquiries,
  visitNotifications,
  visitPayments,
  visitPayouts,
  visitAdministration,
  visitService,
]

/** The most that each endpoint waited in any of its calls. */
const measured: Record<string, number> = {}
let specs: HttpSpec[]
let stopCounter: () => void

beforeAll(async () => {
  stopCounter = startWaitCounter()
  specs = await httpSpecs()
  const visit = async (route: string, request: Call = {}) => {
    const spec = specs.find((each) => mainRoute(each) === route)
    if (!spec) throw new Error(`There is no ${route}`)
    const { waits, result } = await waitsOf(() => call(spec, request))
    if (result.status >= 400) throw new Error(`${route} answered ${result.status} ${result.text}`)
    measured[route] = Math.max(waits, measured[route] ?? 0)
    return String(result.headers['content-type']).includes('json') ? JSON.parse(result.text) : result.text
  }
  for (const tour of TOURS) await tour(visit)
}, 600_000)

afterAll(() => stopCounter())

const mainRoute = (spec: HttpSpec) => routesOfSpec(spec)[0]

describe('an endpoint that is called successfully', () => {
  // An entry may only shrink: whoever makes an endpoint wait less lowers it, and none is raised.
  it('waits for as many answers of DynamoDB, one after another, as its entry says', () => {
    const wrong = Object.entries(measured).filter(([route, waits]) => WAITS[route] !== waits)
    const lines = wrong.map(([route, waits]) => `  '${route}': ${waits},`).join('\n')
    expect(measured, `Paste into test/dynamo/waits/waits.ts:\n${lines}\n`).toEqual(WAITS)
  })

  it('is called by a tour, whichever it is', () => {
    const unvisited = specs.map((spec) => `${mainRoute(spec)}`).filter((route) => !(route in measured))
    const visits = unvisited.map((route) => `  await visit('${route}')`).join('\n')
    expect(unvisited, `Paste into a tour of test/dynamo/waits, with a request:\n${visits}\n`).toEqual([])
  })

  it('has an entry, and every entry an endpoint', () => {
    expect(Object.keys(WAITS).sort()).toEqual(specs.map(mainRoute).sort())
  })
})

describe('the counter of waits', () => {
  const key = { pk: 'WAITS#', sk: 'WAITS' }

  it('counts reads that go together once, and each that follows another', async () => {
    const together = await waitsOf(() => Promise.all([1, 2, 3].map(() => testTable().get(key))))
    const after = await waitsOf(async () => {
      await testTable().get(key)
      await Promise.all([
        testTable().get(key),
        testTable()
          .get(key)
          .then(() => testTable().get(key)),
      ])
    })
    expect([together.waits, after.waits]).toEqual([1, 3])
  })

  it('leaves out what is sent by others meanwhile', async () => {
    const [{ waits }] = await Promise.all([waitsOf(() => testTable().get(key)), testTable().get(key)])
    expect(waits).toBe(1)
  })
})
