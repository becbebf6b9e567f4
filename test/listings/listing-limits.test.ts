import { beforeEach, describe, expect, it } from 'vitest'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as uploadKycDocument } from '#functions/kyc/upload-kyc-document'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as submitListing } from '#functions/listings/submit-listing'
import { spec as withdrawListing } from '#functions/listings/withdraw-listing'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { readConfig } from '#lib/config/config'
import type { ListingId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { form, photograph } from '#test/support/documents'
import { anAgent, consoleToken, type GivenUser, proveEmail } from '#test/support/given'
import { LIMITS } from '#test/support/limits'
import { aListing, aMedia, COMPLETE } from '#test/support/listings'
import { uploaded } from '#test/support/media'
import { filePart, textPart } from '#test/support/multipart'
import { jpeg, png } from '#test/support/pictures'

let agent: GivenUser

beforeEach(async () => {
  agent = await anAgent()
  await proveEmail(agent.id)
})

const setLimits = async (listingLimits: object | null) => {
  const token = await consoleToken()
  const answer = await call(updateUser, { token, params: { id: agent.id }, body: { listingLimits } })
  expect(answer.status).toBe(200)
}
const create = (limits = LIMITS) =>
  call(createListing, { token: agent.token, body: { offer: 'sale', category: 'house' }, deps: { limits } })
const aDraft = () =>
  aListing(agent.id, { ...COMPLETE, media: [aMedia()], status: 'DRAFT', publishedAt: null })
const submit = (id: ListingId, limits = LIMITS) =>
  call(submitListing, { token: agent.token, params: { id }, deps: { limits } })
const refusal = (code: string, detail: string) => ({ status: 409, body: { code, detail } })

describe('the limits of one agent', () => {
  it('go before the general ones, whether higher or lower', async () => {
    const general = { ...LIMITS, drafts: 1 }
    expect((await create(general)).status).toBe(201)
    expect(await create(general)).toMatchObject(refusal('draft_limit_reached', 'An agent may have 1 drafts'))
    await setLimits({ drafts: 3 })
    for (const status of [201, 201, 409]) expect((await create(general)).status).toBe(status)
    await setLimits(null)
    expect((await create(general)).status).toBe(409)
    expect((await create()).status).toBe(201)
  })

  it('hold when many drafts come at once', async () => {
    await setLimits({ drafts: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => create()))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(5).fill(409)])
  })

  it('a limit of 0 refuses an agent who has no listing yet', async () => {
    await setLimits({ drafts: 0 })
    expect(await create()).toMatchObject(refusal('draft_limit_reached', 'An agent may have 0 drafts'))
    await setLimits({ listings: 0 })
    expect(await create()).toMatchObject({ status: 409, body: { code: 'listing_limit_reached' } })
    await setLimits({ inReview: 0, files: 0 })
    const id = await aDraft()
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'review_limit_reached' } })
    expect((await uploaded(id, agent.token, [jpeg()])).status).toBe(429)
  })

  it('lowered below what is there leave it there, and refuse until it is less', async () => {
    const ids = []
    for (let count = 0; count < 3; count += 1) ids.push((await create()).body.id)
    await setLimits({ drafts: 2 })
    expect((await create()).status).toBe(409)
    await call(archiveListing, { token: agent.token, params: { id: ids[0] ?? '' } })
    expect((await create()).status).toBe(409)
    await call(archiveListing, { token: agent.token, params: { id: ids[1] ?? '' } })
    expect((await create()).status).toBe(201)
    await setLimits({ listings: 3 })
    expect(await create()).toMatchObject(
      refusal('listing_limit_reached', 'An agent may have 3 listings, archived ones included'),
    )
  })

  it('count what waits for review, and take back what was handed in without a limit', async () => {
    await setLimits({ inReview: 1, drafts: 0 })
    const [first, second] = [await aDraft(), await aDraft()]
    expect((await submit(first)).status).toBe(200)
    expect(await submit(second)).toMatchObject(
      refusal('review_limit_reached', 'An agent may have 1 listings in review'),
    )
    expect((await submit(first)).status).toBe(200)
    expect((await call(withdrawListing, { token: agent.token, params: { id: first } })).status).toBe(200)
    expect((await submit(second)).status).toBe(200)
  })

  it('count new files of an hour, identity documents with media', async () => {
    const id = await aDraft()
    await setLimits({ files: 2 })
    expect((await uploaded(id, agent.token, [jpeg(), png(), png({ width: 2 })])).status).toBe(429)
    expect((await uploaded(id, agent.token, [jpeg(), png()])).status).toBe(201)
    expect((await uploaded(id, agent.token, [png({ width: 2 })])).status).toBe(429)
    const sent = form(filePart(photograph()), textPart('passport', 'type'))
    expect((await call(uploadKycDocument, { token: agent.token, ...sent })).status).toBe(429)
  })
})

describe('LISTING_LIMITS', () => {
  const limitsOf = (value: string | undefined) =>
    readConfig(['LISTING_LIMITS'], { LISTING_LIMITS: value }).LISTING_LIMITS

  it('leave out what is as usual', () => {
    expect(limitsOf(undefined)).toEqual({})
    expect(limitsOf('{"drafts": 0, "files": 10000}')).toEqual({ drafts: 0, files: 10_000 })
    expect(generalListingLimits.make()).toEqual(LIMITS)
  })

  it.each([
    '{"drafts": -1}',
    '{"drafts": 10001}',
    '{"drafts": 1.5}',
    '{"drafts": "5"}',
    '{"drafts": null}',
    '{"pictures": 5}',
    '[]',
    '5',
    'drafts=5',
  ])('that are %s stop the start with the name', (value) => {
    expect(() => limitsOf(value)).toThrow(/LISTING_LIMITS is not valid/)
  })
})
