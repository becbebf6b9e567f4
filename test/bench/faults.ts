import { createHash, randomUUID } from 'node:crypto'
import type { Spec } from '#lib/http/spec'
import { startRehearsalStack } from '#lib/package/rehearsal/stack'
import type { BodyOf, Call } from '#test/support/call'
import type { Faults } from '#test/support/faulty-dynamo'

// `npm run bench:faults`: how long requests take before a database that holds items, throttles, loses answers and lags as
// the real one does, beside the same requests before one whose transactions merely take as long. Never in `npm test`.

const ROUNDS = 80
const AT_ONCE = 2

/** Every transaction takes 25 ms, as the real database's do; nothing fails. */
const CALM: Faults = { seed: 1, holdMilliseconds: 25, lostAnswers: 0, throttles: 0, lagMilliseconds: 0 }
const STORM: Faults = { ...CALM, seed: 2, lostAnswers: 0.04, throttles: 0.02, lagMilliseconds: 1_500 }

const stack = await startRehearsalStack()
try {
  Object.assign(process.env, stack.environment, { LOG_LEVEL: 'silent' })
  // Loaded only now: they read the environment that has just been set.
  const { call } = await import('#test/support/call')
  const { startFaultyDynamo } = await import('#test/support/faulty-dynamo')
  const { spec: register } = await import('#functions/accounts/register')
  const { spec: login } = await import('#functions/accounts/sessions/login')
  const { spec: refresh } = await import('#functions/accounts/sessions/refresh')
  const { spec: getProfile } = await import('#functions/accounts/get-profile')
  const { spec: changeProfile } = await import('#functions/accounts/change-profile')
  const { spec: putAgentProfile } = await import('#functions/accounts/put-agent-profile')
  const { spec: setKycStatus } = await import('#functions/kyc/set-kyc-status')
  const { spec: createListing } = await import('#functions/listings/create-listing')
  const { spec: editListing } = await import('#functions/listings/edit-listing')
  const { spec: createUpload } = await import('#functions/media/create-upload')
  const { spec: createPayment } = await import('#functions/payments/create-payment')
  const dynamo = await startFaultyDynamo(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '')
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamo.endpoint

  type Person = { id: string; token: string; refreshToken: string }
  let networks = 0

  /** One person's day: every request in turn, by its name. */
  const day = async (note: (request: string, milliseconds: number) => void): Promise<void> => {
    /** Notes the milliseconds of a request, which must succeed, and returns its body. */
    const measured = async <S extends Spec>(name: string, spec: S, request: Call): Promise<BodyOf<S>> => {
      const sentAt = performance.now()
      const { status, text, body } = await call(spec, request)
      if (status >= 400) throw new Error(`answered ${status}: ${text}`)
      note(name, performance.now() - sentAt)
      return body
    }
    networks += 1
    const registration = {
      email: `${randomUUID()}@example.com`,
      password: 'a long enough password 7',
      name: 'Awa Diop',
    }
    const { user, accessToken, refreshToken } = await measured('POST /auth/register', register, {
      body: registration,
      ipAddress: `10.${networks >> 8}.${networks & 255}.1`,
    })
    const person: Person = { id: user.id, token: accessToken, refreshToken }
    const { token } = person
    const { email, password } = registration
    await measured('POST /auth/login', login, { body: { email, password } })
    await measured('GET /auth/profile', getProfile, { token })
    await measured('PATCH /auth/profile', changeProfile, { token, body: { name: 'Awa Sarr' } })
    await measured('PUT /auth/profile/agent', putAgentProfile, { token, body: { displayName: 'Awa' } })
    await measured('POST /auth/refresh', refresh, { body: { refreshToken } })
    await measured('PATCH /auth/kyc', setKycStatus, {
      token: stack.consoleToken,
      body: { userId: person.id, kycStatus: 'VERIFIED' },
    })
    const { id } = await measured('POST /listings', createListing, {
      token,
      body: { offer: 'rent', category: 'house' },
    })
    await measured('PATCH /listings/{id}', editListing, { token, params: { id }, body: { bedrooms: 3 } })
    await measured('POST /listings/{id}/media/uploads', createUpload, {
      token,
      params: { id },
      body: {
        contentType: 'image/jpeg',
        bytes: 5_000,
        sha256: createHash('sha256').update(id).digest('hex'),
      },
    })
    await measured('POST /payments', createPayment, {
      token,
      body: { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'fee' },
    })
  }

  const median = (times: readonly number[]): number =>
    times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

  const medians = async (faults: Faults | undefined, rounds: number): Promise<Map<string, number>> => {
    const times = new Map<string, number[]>()
    const note = (request: string, milliseconds: number) =>
      times.set(request, [...(times.get(request) ?? []), milliseconds])
    dynamo.make(faults)
    const people = async () => {
      for (let round = 0; round < rounds / AT_ONCE; round += 1) await day(note)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, people))
    return new Map([...times].map(([request, all]) => [request, median(all)]))
  }

  await medians(undefined, 20)
  const calm = await medians(CALM, ROUNDS)
  const storm = await medians(STORM, ROUNDS)
  console.log('| request | calm ms | storm ms | ÷ |\n|---|--:|--:|--:|')
  for (const [request, without] of calm) {
    const within = storm.get(request) ?? Number.NaN
    console.log(
      `| \`${request}\` | ${without.toFixed(0)} | ${within.toFixed(0)} | ${(within / without).toFixed(2)} |`,
    )
  }
  console.log(`\nfaults made: ${JSON.stringify(dynamo.counts)}`)
  await dynamo.stop()
} finally {
  await stack.stop()
}
