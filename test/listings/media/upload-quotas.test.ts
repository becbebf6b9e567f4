import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { spec as createUpload } from '#functions/media/create-upload'
import { openQuotas } from '#lib/dynamo/quotas'
import { call } from '#test/support/call'
import { testTable } from '#test/support/corpus'
import { anAgent, consoleToken } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { uploaded } from '#test/support/media'
import { jpeg, png } from '#test/support/pictures'

const MEBIBYTE = 1024 * 1024

const announced = async (token: string | undefined, id: string, bytes: number, name = `${bytes}`) =>
  call(createUpload, {
    params: { id },
    token,
    body: { contentType: 'video/mp4', bytes, sha256: createHash('sha256').update(name).digest('hex') },
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
    await testTable().commit([openQuotas().count(quota, agent.id, new Date(), 198)])
    expect((await uploaded(id, agent.token, [jpeg()])).status).toBe(201)
    expect((await uploaded(id, agent.token, [jpeg()])).status).toBe(200)
    expect((await uploaded(id, agent.token, [png(), png({ width: 2 })])).status).toBe(429)
    expect((await uploaded(id, agent.token, [png()])).status).toBe(201)
    expect((await uploaded(id, agent.token, [png({ width: 2 })])).status).toBe(429)
    expect((await uploaded(id, await consoleToken(), [png({ width: 2 })])).status).toBe(201)
  })
})
