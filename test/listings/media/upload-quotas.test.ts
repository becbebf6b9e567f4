import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { spec as createUpload } from '#functions/media/create-upload'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { openQuotas } from '#lib/dynamo/quotas'
import { sha256 } from '#lib/kernel/signatures'
import { call } from '#test/support/call'
import { pdf } from '#test/support/files'
import { anAgent, consoleToken, type GivenUser, platformToken } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { delivered, uploaded } from '#test/support/media'
import { jpeg, png } from '#test/support/pictures'
import { testTable } from '#test/support/test-table'

const MEBIBYTE = 1024 * 1024

const announced = (
  token: string | undefined,
  id: string,
  bytes: number,
  name = `${bytes}`,
  contentType = 'video/mp4',
  deps = {},
) =>
  call(createUpload, {
    params: { id },
    token,
    deps,
    body: { contentType, bytes, sha256: sha256(name) },
  })

describe('a person whose PDFs took too long', () => {
  /** The next hour of the clock, so that no test depends on the minute at which it runs. */
  const HOUR = Math.ceil(Date.now() / 3_600_000) * 3_600_000
  const at = (minutes: number) => ({ now: () => new Date(HOUR + minutes * 60_000) })
  const tokenAt = ({ token }: GivenUser, minutes: number) => {
    const iat = HOUR / 1000 + minutes * 60
    return platformToken({ ...decodeJwt(token), iat, exp: iat + 600 })
  }
  const aPdf = (bytes: number) => pdf({ bytes })
  const tookTooLong = { render: async () => ({ outcome: 'refused', reason: 'took_too_long' }) }

  /** An agent who has sent so many PDFs at the beginning of the hour, and what became of each a minute later. */
  async function anAgentWithSlow(count: number) {
    const agent = await anAgent()
    const id = await aListing(agent.id, { status: 'DRAFT' })
    const files = Array.from({ length: count }, (_, index) => aPdf(index))
    const { items } = (await uploaded(id, await tokenAt(agent, 0), files, [], at(0))).body
    const outcomes: string[] = []
    for (const item of items) {
      const [result] = await delivered(id, item.id, { ...tookTooLong, ...at(1) })
      outcomes.push(result?.outcome ?? '')
    }
    return { agent, id, outcomes, last: items.at(-1)?.id ?? '' }
  }

  it('after three an hour, the next one is a 429 by a form and by a link, until the hour has passed', async () => {
    const { agent, id } = await anAgentWithSlow(3)
    const byForm = async (minutes: number) =>
      uploaded(id, await tokenAt(agent, minutes), [aPdf(100)], [], at(minutes))
    const byLink = async (minutes: number) =>
      announced(await tokenAt(agent, minutes), id, 200, 'a plan', 'application/pdf', at(minutes))
    for (const refused of [await byForm(20), await byLink(20)]) {
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(refused.headers['retry-after']).toBe(`${40 * 60}`)
    }
    expect((await byForm(60)).status).toBe(201)
    expect((await byLink(60)).status).toBe(201)
  })

  // Attack: a PDF that is removed while it is drawn has held a decoder too.
  it('is refused the next one also after removing each PDF while it was drawn', async () => {
    const agent = await anAgent()
    const id = await aListing(agent.id, { status: 'DRAFT' })
    const token = await tokenAt(agent, 0)
    for (let slow = 0; slow < 3; slow += 1) {
      const { items } = (await uploaded(id, token, [aPdf(slow)], [], at(0))).body
      const mediaId = items[0]?.id ?? ''
      const render = async () => {
        await call(deleteMedia, { params: { id, mediaId }, token, deps: at(0) })
        return tookTooLong.render()
      }
      expect(await delivered(id, mediaId, { ...at(1), render })).toMatchObject([{ outcome: 'unnamed' }])
    }
    expect((await uploaded(id, token, [aPdf(100)], [], at(2))).status).toBe(429)
  })

  it('may go on adding pictures and films, and others their PDFs', async () => {
    const { agent, id } = await anAgentWithSlow(3)
    const token = await tokenAt(agent, 20)
    expect((await uploaded(id, token, [jpeg()], [], at(20))).status).toBe(201)
    expect((await announced(token, id, 100, 'film', 'video/mp4', at(20))).status).toBe(201)
    const other = await anAgent()
    const theirs = await aListing(other.id, { status: 'DRAFT' })
    expect((await uploaded(theirs, await tokenAt(other, 20), [aPdf(100)], [], at(20))).status).toBe(201)
  })

  it('after two may add another one', async () => {
    const { agent, id } = await anAgentWithSlow(2)
    expect((await uploaded(id, await tokenAt(agent, 20), [aPdf(100)], [], at(20))).status).toBe(201)
  })

  // Attack: whoever sends a hundred before the first was drawn is not refused one of them.
  it('has those already sent wait undrawn until the hour has passed', async () => {
    const { id, outcomes, last } = await anAgentWithSlow(5)
    expect(outcomes).toEqual(['REJECTED', 'REJECTED', 'REJECTED', 'deferred', 'deferred'])
    expect(await delivered(id, last, at(59))).toMatchObject([{ outcome: 'deferred' }])
    expect(await delivered(id, last, at(60))).toMatchObject([{ outcome: 'READY' }])
  })
})

describe('429', () => {
  it('more than 2 GiB of files a day are a 429', async () => {
    const agent = await anAgent()
    const id = await aListing(agent.id, { status: 'DRAFT' })
    for (let count = 0; count < 4; count += 1)
      expect((await announced(agent.token, id, 500 * MEBIBYTE, `film ${count}`)).status).toBe(201)
    const refused = await announced(agent.token, id, 100 * MEBIBYTE)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('the 201st file of an hour is a 429; refused and known files do not count', async () => {
    const agent = await anAgent()
    const id = await aListing(agent.id, { status: 'DRAFT' })
    const quota = { policy: 'files', limit: 200, windowSeconds: 3600 }
    await testTable().commit([openQuotas(testTable()).count(quota, agent.id, new Date(), 198)])
    expect((await uploaded(id, agent.token, [jpeg()])).status).toBe(201)
    expect((await uploaded(id, agent.token, [jpeg()])).status).toBe(200)
    expect((await uploaded(id, agent.token, [png(), png({ width: 2 })])).status).toBe(429)
    expect((await uploaded(id, agent.token, [png()])).status).toBe(201)
    expect((await uploaded(id, agent.token, [png({ width: 2 })])).status).toBe(429)
    expect((await uploaded(id, await consoleToken(), [png({ width: 2 })])).status).toBe(201)
  })
})
