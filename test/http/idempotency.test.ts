import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { administrator, user } from '#lib/accounts/access'
import { idempotencyKey } from '#lib/dynamo/dynamo.keys'
import { claimed, idempotencyStore, openIdempotency, recorded } from '#lib/dynamo/idempotency.dynamo'
import { openIdempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { endpoint } from '#lib/http/endpoint'
import type { IdempotencyStore } from '#lib/http/idempotency/idempotency'
import { ids } from '#lib/http/runtime'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, newId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type Answer, call } from '#test/support/call'
import { endpointSpecs } from '#test/support/function-modules'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { testTable } from '#test/support/test-table'

type Claim = { id: string; resumed: boolean }

/** What an endpoint needs to note something once. */
type Noting = {
  idempotency: Pick<IdempotencyStore, 'commit'>
  newId: NewId
  once: { receipt: (outcome: { id: string }) => Write[] }
}

/** What each try of a request is told, and what it then does; without a say it succeeds. */
let tries: Claim[]
let outcomes: (() => unknown)[]
let caller: GivenUser

/** An endpoint that asks somebody else for something, as one that starts a payment does. */
const { spec } = endpoint({
  route: 'POST /things',
  summary: 'Make a thing elsewhere',
  access: user,
  input: { body: z.object({ colour: z.string() }) },
  output: { 201: z.object({ id: z.string(), colour: z.string() }) },
  problems: ['provider_unavailable', 'email_taken'],
  idempotency: claimed('payment'),
  deps: { idempotency: idempotencyStore },
  run: async ({ body }, { idempotency, once }) => {
    tries.push({ id: once.id, resumed: once.resumed })
    await outcomes.shift()?.()
    const reply = {
      status: 201 as const,
      body: { id: once.id, ...body },
      headers: { location: `/things/${once.id}` },
    }
    await idempotency.commit(once.receipt(reply))
    return reply
  },
})

beforeAll(async () => {
  caller = await aUser()
})

beforeEach(() => {
  tries = []
  outcomes = []
})

let keys = 0
const aKey = () => {
  keys += 1
  return `key-${keys}`
}

const send = (key: string | undefined, { seconds = 0, colour = 'blue', of = spec } = {}) =>
  call(of, {
    token: caller.token,
    body: { colour },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    deps: { now: () => new Date(Date.now() + seconds * 1_000) },
  })

const idOf = ({ body }: Answer<{ id: string }>) => body.id
const refusal = (code: 'email_taken' | 'idempotency_in_progress' | 'provider_unavailable') => () => {
  throw new DomainError(code)
}

/** A try that goes on until it is let go. */
function held() {
  let letGo = () => {}
  const until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return { letGo: () => letGo(), wait: () => until }
}

describe('a key that is claimed', () => {
  it('answers the first success again, its headers too, and asks nobody twice', async () => {
    const key = aKey()
    const first = await send(key)
    const again = await send(key)
    expect(first.status).toBe(201)
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text })
    expect(again.headers).toMatchObject({
      location: first.headers['location'],
      'idempotent-replayed': 'true',
    })
    expect(tries).toEqual([{ id: idOf(first), resumed: false }])
  })

  it('answers 409 while the request is being carried out, and when to ask again', async () => {
    const key = aKey()
    const hold = held()
    outcomes = [hold.wait]
    const first = send(key)
    await expect.poll(() => tries.length).toBe(1)
    const meanwhile = await Promise.all([send(key), send(key), send(key, { seconds: 59 })])
    for (const answer of meanwhile) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
      expect(answer.headers['retry-after']).toBe('1')
    }
    hold.letGo()
    expect((await first).status).toBe(201)
    expect(tries).toHaveLength(1)
  })

  it('lets one of twenty at once through: the others wait for it or get its answer', async () => {
    const key = aKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key)))
    expect(tries).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1)
    expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2)
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
    expect(idOf(await send(key))).toBe(tries[0]?.id)
  })

  it('is taken over after a minute by the same request, with the same id', async () => {
    const key = aKey()
    const hold = held()
    outcomes = [hold.wait]
    const dead = send(key)
    await expect.poll(() => tries.length).toBe(1)
    const next = await send(key, { seconds: 61 })
    expect(next.status).toBe(201)
    const id = idOf(next)
    expect(tries).toEqual([
      { id, resumed: false },
      { id, resumed: true },
    ])
    hold.letGo()
    await dead
    expect(idOf(await send(key, { seconds: 62 }))).toBe(id)
  })

  it('is taken over by one of ten who ask after a minute', async () => {
    const key = aKey()
    const hold = held()
    outcomes = [hold.wait]
    const dead = send(key)
    await expect.poll(() => tries.length).toBe(1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key, { seconds: 61 })))
    expect(tries).toHaveLength(2)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    hold.letGo()
    await dead
  })

  it('is given up by a refusal: the next try is a new one', async () => {
    const key = aKey()
    outcomes = [refusal('email_taken')]
    expect(await send(key)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    const { status } = await send(key, { colour: 'red' })
    expect(status).toBe(201)
    expect(tries[0]?.id).not.toBe(tries[1]?.id)
    expect(tries[1]?.resumed).toBe(false)
  })

  it.each([
    ['the provider', refusal('provider_unavailable'), 502],
    [
      'ours',
      () => {
        throw new Error('a bug')
      },
      500,
    ],
  ])(
    'outlives a failure of %s: the next try goes on at once, with the same id',
    async (_whose, fail, status) => {
      const key = aKey()
      outcomes = [fail]
      expect((await send(key)).status).toBe(status)
      const next = await send(key)
      expect(next.status).toBe(201)
      expect(tries).toEqual([
        { id: idOf(next), resumed: false },
        { id: idOf(next), resumed: true },
      ])
    },
  )

  it('outlives a try that finds its work under way elsewhere: the next goes on with the same id', async () => {
    const key = aKey()
    outcomes = [refusal('provider_unavailable'), refusal('idempotency_in_progress')]
    expect((await send(key)).status).toBe(502)
    expect(await send(key)).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    const next = await send(key)
    expect(next.status).toBe(201)
    expect(tries.map(({ id, resumed }) => [id === idOf(next), resumed])).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ])
  })

  it('is no other request’s, whether that succeeded, failed or is under way', async () => {
    const [done, failed, busy] = [aKey(), aKey(), aKey()]
    await send(done)
    outcomes = [refusal('provider_unavailable')]
    await send(failed)
    const hold = held()
    outcomes = [hold.wait]
    const first = send(busy)
    await expect.poll(() => tries.length).toBe(3)
    for (const key of [done, failed, busy]) {
      expect(await send(key, { colour: 'red' })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      })
    }
    hold.letGo()
    await first
  })

  it('knows its request again whatever the order of the fields', async () => {
    const given = { spec: { ...spec, input: { body: z.record(z.string(), z.unknown()) } }, key: aKey() }
    const sent = (body: object) =>
      call(given.spec, { token: caller.token, headers: { 'idempotency-key': given.key }, body })
    const first = await sent({ colour: 'blue', size: { width: 1, height: 2 } })
    const again = await sent({ size: { height: 2, width: 1 }, colour: 'blue' })
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
    expect(await sent({ colour: 'blue', size: { width: 2, height: 1 } })).toMatchObject({ status: 422 })
  })

  it('is another’s on another route', async () => {
    const other: typeof spec = { ...spec, route: 'POST /others' }
    const key = aKey()
    await send(key)
    expect(await send(key, { of: other })).toMatchObject({ status: 422 })
  })

  it('is one of its own for each administrator', async () => {
    const { spec } = endpoint({
      route: 'POST /corrections',
      summary: 'Correct something',
      access: administrator(['payments']),
      output: { 201: z.object({ id: z.string() }) },
      idempotency: claimed('transaction'),
      deps: { idempotency: idempotencyStore },
      run: async (_request, { idempotency, once }) => {
        const reply = { id: once.id }
        await idempotency.commit(once.receipt(reply))
        return reply
      },
    })
    const key = aKey()
    const sent = async (sub: string) => {
      const token = await consoleToken({ sub })
      return idOf(await call(spec, { token, headers: { 'idempotency-key': key } }))
    }
    const [first, again, other] = [await sent('ama'), await sent('ama'), await sent('esi')]
    expect([again === first, other === first]).toEqual([true, false])
  })

  it('is free again after a day', async () => {
    const key = aKey()
    const first = idOf(await send(key))
    // The session lives on, only the token does not: whoever comes back brings another.
    const later = async (seconds: number) => {
      const { sid } = decodeJwt(caller.token)
      return call(spec, {
        body: { colour: 'blue' },
        token: caller.token,
        headers: { 'idempotency-key': key },
        deps: {
          now: () => new Date(Date.now() + seconds * 1_000),
          tokens: async () => ({ kind: 'user', userId: caller.id, sessionId: sid }),
        },
      })
    }
    expect(idOf(await later(86_400 - 60))).toBe(first)
    expect(idOf(await later(86_400 + 60))).not.toBe(first)
  })
})

describe('the record of a key', () => {
  const noting = {
    route: 'POST /notes',
    summary: 'Note something',
    access: user,
    output: { 201: z.object({ id: z.string() }) },
    deps: { idempotency: idempotencyStore, newId: ids },
  } as const
  const note = async ({ idempotency, newId, once }: Noting) => {
    const reply = { id: newId('event') }
    await idempotency.commit(once.receipt(reply))
    return reply
  }

  it.each([
    [
      'claimed',
      endpoint({ ...noting, idempotency: claimed('payment'), run: (_request, deps) => note(deps) }),
    ],
    ['recorded', endpoint({ ...noting, idempotency: recorded, run: (_request, deps) => note(deps) })],
  ])(
    'leaves a key that was %s to another request from the very second of its end',
    async (_how, { spec }) => {
      const { sid } = decodeJwt(caller.token)
      const key = aKey()
      const start = Math.floor(Date.now() / 1000) * 1000
      // The session lives on, only the token does not.
      const sentAfter = (milliseconds: number) =>
        call(spec, {
          token: caller.token,
          headers: { 'idempotency-key': key },
          deps: {
            now: () => new Date(start + milliseconds),
            tokens: async () => ({ kind: 'user', userId: caller.id, sessionId: sid }),
          },
        })
      const first = await sentAfter(0)
      expect(idOf(await sentAfter(86_400_000 - 1))).toBe(idOf(first))
      const again = await sentAfter(86_400_000)
      expect(again.status).toBe(201)
      expect(idOf(again)).not.toBe(idOf(first))
    },
  )

  it('stays gone if it goes while a person is taken out of its answer', async () => {
    const [table, person] = [testTable(), newId('user')]
    const records = openIdempotency(table)
    const body = JSON.stringify({ agent: { userId: person, displayName: 'Zita' } })
    const record = {
      fingerprint: 'a',
      claimedAtMilliseconds: 0,
      reservedId: null,
      answer: { statusCode: 201, headers: {}, body },
      expiresAtSeconds: Math.floor(Date.now() / 1000) + 60,
    }
    const [gone, kept, long] = [aKey(), aKey(), aKey()]
    const text = 'House '.repeat(20_000)
    const longBody = JSON.stringify({ agent: { userId: person, displayName: 'Zita' }, text })
    await table.commit([
      records.put(caller.id, gone, record),
      records.put(caller.id, kept, record),
      records.put(caller.id, long, { ...record, answer: { ...record.answer, body: longBody } }),
    ])
    const queryAll: typeof table.queryAll = async (options) => {
      const items = await table.queryAll(options)
      await table.commit([records.remove(caller.id, gone)])
      return items
    }
    await openIdempotencyErasure({ ...table, queryAll }).redact(caller.id, person)
    expect(await table.get(idempotencyKey(caller.id, gone))).toBeUndefined()
    expect((await records.find(caller.id, kept))?.answer?.body).toBe('{"agent":null}')
    expect((await records.find(caller.id, long))?.answer?.body).toBe(JSON.stringify({ agent: null, text }))
  })
})

describe('a key that is recorded', () => {
  it('keeps an answer that exceeds the size of an item, and repeats it whole', async () => {
    const link = `https://media.example/${'signature'.repeat(150)}`
    const links = Array.from({ length: 400 }, (_, index) => `${link}${index}`)
    const { spec } = endpoint({
      route: 'POST /notes',
      summary: 'Note something',
      access: user,
      output: { 201: z.object({ id: z.string(), links: z.array(z.string()) }) },
      idempotency: recorded,
      deps: { idempotency: idempotencyStore, newId: ids },
      run: async (_request, { idempotency, newId, once }) => {
        const reply = { id: newId('event'), links }
        await idempotency.commit(once.receipt(reply))
        return reply
      },
    })
    const headers = { 'idempotency-key': aKey() }
    const note = () => call(spec, { token: caller.token, headers })
    const first = await note()
    expect(first).toMatchObject({ status: 201, body: { links } })
    const again = await note()
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('answers a request that its repetition has overtaken with what that one did, whatever refuses it', async () => {
    const key = aKey()
    const { spec } = endpoint({
      route: 'POST /notes',
      summary: 'Note something',
      access: user,
      output: { 201: z.object({ id: z.string() }) },
      problems: ['email_taken'],
      idempotency: recorded,
      deps: { idempotency: idempotencyStore, newId: ids },
      run: async (_request, { idempotency, newId, once }) => {
        await outcomes.shift()?.()
        const reply = { id: newId('event') }
        await idempotency.commit(once.receipt(reply))
        return reply
      },
    })
    const note = () => call(spec, { token: caller.token, headers: { 'idempotency-key': key } })
    let first: Answer<{ id: string }> | undefined
    outcomes = [
      async () => {
        first = await note()
        return refusal('email_taken')()
      },
    ]
    const overtaken = await note()
    expect(first?.status).toBe(201)
    expect(overtaken).toMatchObject({ status: 201, body: first?.body })
    expect(overtaken.headers['idempotent-replayed']).toBe('true')
    outcomes = [refusal('email_taken')]
    const other = await call(spec, { token: caller.token, headers: { 'idempotency-key': aKey() } })
    expect(other).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })
})

describe('a request without a key', () => {
  // Nothing is said of the body, so that a client first mends what makes paying twice impossible.
  it('is refused where one is demanded, before its body is looked at', async () => {
    const request = { token: caller.token, headers: { 'idempotency-key': undefined } }
    for (const rawBody of ['{', JSON.stringify({ colour: 'blue' })]) {
      expect(await call(spec, { ...request, rawBody })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_required' },
      })
    }
    expect(await call(spec, { rawBody: '{', headers: request.headers })).toMatchObject({ status: 401 })
    expect(tries).toEqual([])
  })

  it('is refused by everything that moves money or books it', async () => {
    const demanding = (await endpointSpecs()).filter(({ idempotency }) => idempotency?.isDemanded)
    expect(demanding.map(({ route }) => route).sort()).toEqual([
      'POST /admin/ledger/corrections',
      'POST /admin/payouts',
      'POST /payments',
      'POST /payments/{id}/refunds',
    ])
  })

  it('is one of its own where none is demanded', async () => {
    const { spec } = endpoint({
      route: 'POST /notes',
      summary: 'Note something',
      access: user,
      output: { 201: z.object({ id: z.string() }) },
      idempotency: recorded,
      deps: { newId: ids },
      run: (_request, { newId, once }) => {
        expect(once.receipt({ id: 'any' })).toEqual([])
        return { id: newId('event') }
      },
    })
    const answers = await Promise.all([
      call(spec, { token: caller.token }),
      call(spec, { token: caller.token }),
    ])
    expect(new Set(answers.map(idOf)).size).toBe(2)
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined])
  })
})
