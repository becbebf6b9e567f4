import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { Money } from '#lib/kernel/money'
import type { LocalRoute } from '../gateway/gateway.ts'

const PAYOUTS_PATH = '/local/sandbox/payouts'

const PAYOUT_ID = /^out_[0-9A-Z]{26}$/
const PayoutRequest = Money.extend({ id: z.string().regex(PAYOUT_ID), number: z.string().max(40) })

/** The ends of the numbers of accounts whose payouts fail, and of accounts whose payouts are refused with a 503. */
const FAILING = '0000'
const SILENT = '9999'

/**
 * The sandbox's payouts: paid at once, but failed for an account that ends in 0000. A payout to an account that ends in
 * 9999 is answered 503 and not stored. Payouts are files, so that they survive a restart.
 */
export function openSandboxPayouts(directory: string): LocalRoute[] {
  const fileOf = (id: string) => join(directory, `${id}.json`)
  const read = (id: string) => readFile(fileOf(id), 'utf8').catch(() => undefined)
  return [
    {
      method: 'GET',
      path: PAYOUTS_PATH,
      handle: async (_request, response, url) => {
        // A route handles every address below its path, too.
        const id = url.pathname.slice(PAYOUTS_PATH.length + 1)
        const known = PAYOUT_ID.test(id) ? await read(id) : undefined
        response.writeHead(known ? 200 : 404, JSON_TYPE).end(known ?? '{"error": "There is no such payout."}')
      },
    },
    {
      method: 'POST',
      path: PAYOUTS_PATH,
      handle: async (request, response) => {
        const wanted = PayoutRequest.safeParse(await jsonOf(request))
        if (!wanted.success) {
          response.writeHead(400, JSON_TYPE).end('{"error": "An id, an amount and a number are needed."}')
          return
        }
        const { id, number } = wanted.data
        if (number.endsWith(SILENT)) {
          response.writeHead(503, JSON_TYPE).end('{}')
          return
        }
        const known = await read(id)
        const state = number.endsWith(FAILING) ? 'failed' : 'paid'
        const payout = known ?? JSON.stringify({ id: `sbo_${id.slice('out_'.length)}`, state })
        await mkdir(directory, { recursive: true })
        await writeFile(fileOf(id), payout)
        response.writeHead(201, JSON_TYPE).end(payout)
      },
    },
  ]
}

const JSON_TYPE = { 'content-type': 'application/json' }

async function jsonOf(request: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
