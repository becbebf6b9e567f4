import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { providerNames } from '#lib/providers/registry'
import { deliver } from '#test/support/callbacks'
import { SETTINGS, testProviders } from '#test/support/providers'
import { ID, KEY, NOW, type ProviderExample, REFUND } from './example.ts'
import { expectSent, orderOf, paymentOf, refundOf, speakWith } from './speak.ts'

const examples = await Promise.all(
  providerNames.map(async (name): Promise<[string, ProviderExample]> => {
    const { example } = await import(`./examples/${name}.ts`)
    return [name, example]
  }),
)
const conversations = examples.map(([name, { conversation }]) => [name, conversation] as const)

describe('every provider', () => {
  it('has an example, and every example a provider', () => {
    const files = readdirSync(new URL('./examples', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
    expect(files.sort()).toEqual([...providerNames].sort())
  })

  it('has a file of signature vectors or fixtures, and every such file a provider', () => {
    const files = readdirSync(new URL('../../support/vectors', import.meta.url))
    const ours = providerNames.filter((name) => name !== 'sandbox')
    expect(files.sort()).toEqual(ours.map((name) => `${name}.json`).sort())
  })
})

describe.each(examples.filter(([, { samples }]) => samples.length > 0))(
  'a documented sample of %s',
  (name, example) => {
    it.each(example.samples)('says what happened: %s', async (sample, statement, references) => {
      const [event] = await interpret(name, example, sampleOf(name, sample))
      expect(event).toMatchObject({ references })
      if (statement) expect(event?.statement).toMatchObject(statement)
      else expect(event?.statement).toBeNull()
    })
  },
)

const secretOf = (byte: number, encoding: 'base64' | 'hex') => Buffer.alloc(32, byte).toString(encoding)
const SECRETS: Record<string, readonly [string, string, string]> = {
  base64: [secretOf(7, 'base64'), secretOf(8, 'base64'), secretOf(9, 'base64')],
  hex: [secretOf(7, 'hex'), secretOf(8, 'hex'), secretOf(9, 'hex')],
}
const secretsOf = (name: string) =>
  (/^(sandbox|standard-webhooks)$/.test(name) ? SECRETS['base64'] : SECRETS['hex']) ?? (['', '', ''] as const)

describe.each(examples.filter(([, { sign }]) => sign !== 'unsigned'))('what %s signs', (name, example) => {
  const [old, current, other] = secretsOf(name)
  const sample = {
    ...sampleOf(name, example.samples[0]?.[0] ?? 'succeeded'),
    unknown: 'words',
    amount: 12_550,
  }
  const signed = (secret: string) => {
    if (example.sign === 'unsigned') throw new Error(`${name} signs nothing`)
    return example.sign(secret, sample, NOW.getTime() / 1000)
  }
  const send = (sent: ReturnType<typeof signed>) => {
    const { secretKey } = example
    const secrets = secretKey
      ? { [secretKey]: old, webhookSecrets: [current] }
      : { webhookSecrets: [old, current] }
    const providers = testProviders({ [name]: { ...SETTINGS[name], ...secrets } }, { now: () => NOW })
    return deliver({ provider: name, ...sent }, { providers, now: () => NOW })
  }

  it('is accepted under either of two secrets, so that they can rotate', async () => {
    for (const secret of [old, current]) expect(await send(signed(secret))).toMatchObject({ status: 200 })
  })

  it('is refused under any other secret, and when it was changed', async () => {
    const genuine = signed(current)
    const tampered = { ...genuine, rawBody: genuine.rawBody.replace(/125(500?|\.50)/, '1') }
    expect(tampered.rawBody).not.toBe(genuine.rawBody)
    for (const forged of [signed(other), tampered]) {
      expect(await send(forged)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    }
  })
})

describe('a provider', () => {
  it.each(conversations)(
    'is asked for money under our id, until our expiry: %s',
    async (name, conversation) => {
      const { provider, api } = await speakWith(name, conversation)
      const started = await provider.start(orderOf(conversation))
      expect(started).toMatchObject({ url: conversation.url })
      if ('expiresAt' in conversation.start)
        expect(started).toMatchObject({ expiresAt: conversation.start.expiresAt })
      if (conversation.start.at !== '') expectSent(api, 'POST', conversation.start)
    },
  )

  it.each(conversations.filter(([, { refusal }]) => refusal))(
    'reports a refused payment with its own code, once: %s',
    async (name, conversation) => {
      const { answer, providerCode = null } = conversation.refusal ?? {}
      const { provider, api } = await speakWith(name, conversation, {
        [`POST ${conversation.start.at}`]: answer,
      })
      expect(await provider.start(orderOf(conversation))).toMatchObject({ refused: { providerCode } })
      expect(api.requests.filter(({ path }) => path === conversation.start.at)).toHaveLength(1)
    },
  )

  it.each(conversations.filter(([, { start }]) => start.at !== ''))(
    'is provider_unavailable where it refuses our credentials, redirects us or is down: %s',
    async (name, conversation) => {
      for (const status of [401, 403, 302, 503]) {
        const { provider } = await speakWith(name, conversation, undefined, status)
        const unavailable = { code: 'provider_unavailable' }
        await expect(provider.start(orderOf(conversation))).rejects.toMatchObject(unavailable)
      }
    },
  )

  it.each(conversations.filter(([, { reading }]) => reading))(
    'reads every money object of a payment by its id, and changes nothing: %s',
    async (name, conversation) => {
      const { provider, api } = await speakWith(name, conversation)
      const payment = paymentOf(conversation)
      const references = [...payment.references, ID]
      const reading = await provider.readPayment?.({ references, payment, refundKeys: [REFUND, KEY] })
      const { charges = [], refunds = [], disputes = [], fees } = conversation.reading ?? {}
      expect(reading).toMatchObject({ charges, refunds, disputes, ...(fees && { fees }) })
      expect(
        [...(reading?.references ?? [])].some((each) => [ID, ...payment.references].includes(each)),
      ).toBe(true)
      const questions = api.requests.filter(({ path }) => !/token|oauth/.test(path))
      expect(questions.filter(({ method, path }) => method !== 'GET' && !/query|check/.test(path))).toEqual(
        [],
      )
    },
  )

  it.each(conversations.filter(([, { reading }]) => reading))(
    'reads an unknown payment as null, and throws while it is down: %s',
    async (name, conversation) => {
      const payment = paymentOf(conversation)
      const question = { references: [...payment.references, ID], payment }
      const logins = Object.entries(conversation.script).filter(([route]) => /token|oauth/.test(route))
      const script = { ...Object.fromEntries(logins), ...conversation.unknown }
      const silent = await speakWith(name, { ...conversation, script })
      expect(await silent.provider.readPayment?.(question)).toBeNull()
      const { provider } = await speakWith(name, conversation, undefined, 503)
      await expect(provider.readPayment?.(question)).rejects.toMatchObject({ code: 'provider_unavailable' })
    },
  )

  it.each(conversations.filter(([, { refund }]) => refund))(
    'gives money back under the key of the attempt, in one request: %s',
    async (name, conversation) => {
      const { provider, api } = await speakWith(name, conversation)
      const { refund } = conversation
      if (!refund) throw new Error('There is no refund')
      expect(await provider.startRefund?.(refundOf(conversation))).toEqual(refund.answers)
      expectSent(api, 'POST', refund)
      expect(api.requests.filter(({ method, path }) => method === 'POST' && path === refund.at)).toHaveLength(
        1,
      )
    },
  )

  it.each(conversations.filter(([, { refund }]) => refund))(
    'fails a refused refund, and is called once and throws while it is down: %s',
    async (name, conversation) => {
      const at = `POST ${conversation.refund?.at}`
      const refusing = await speakWith(name, conversation, {
        [at]: { status: 422, json: { status_code: '412' } },
      })
      expect(await refusing.provider.startRefund?.(refundOf(conversation))).toMatchObject({ state: 'failed' })
      const down = await speakWith(name, conversation, { [at]: { status: 500, json: {} } })
      await expect(down.provider.startRefund?.(refundOf(conversation))).rejects.toMatchObject({
        code: 'provider_unavailable',
      })
      expect(down.api.requests.filter(({ method, path }) => `${method} ${path}` === at)).toHaveLength(1)
    },
  )

  it.each(conversations.filter(([, { close }]) => close))(
    'closes the page of a payment, and says when it is still open: %s',
    async (name, conversation) => {
      const { close } = conversation
      if (!close) throw new Error('There is no close')
      const { provider, api } = await speakWith(name, conversation, close.unpaid)
      expect(await provider.close?.(paymentOf(conversation))).toBe(true)
      expectSent(api, close.method, close)
      const refusing = await speakWith(name, conversation, {
        [`${close.method} ${close.at}`]: { status: 409, json: {} },
        ...close.open,
      })
      expect(await refusing.provider.close?.(paymentOf(conversation))).toBe(false)
    },
  )

  it.each(conversations.filter(([, { capture }]) => capture))(
    'takes the money that the payer has approved under a key, and nothing while it reads: %s',
    async (name, conversation) => {
      const { capture } = conversation
      if (!capture) throw new Error('There is no capture')
      const { provider, api } = await speakWith(name, conversation, capture.approved)
      const payment = paymentOf(conversation)
      const question = { references: payment.references, payment }
      const reading = await provider.readPayment?.(question)
      expect(reading?.awaitsCapture).toBe(true)
      expect(reading?.charges.filter(({ kind }) => kind !== 'processing')).toEqual([])
      expect(api.requests.filter(({ path }) => path === capture.at)).toEqual([])
      await provider.capture?.(payment)
      expectSent(api, 'POST', capture)
      for (const status of [409, 500]) {
        const { provider } = await speakWith(name, conversation, {
          ...capture.approved,
          [`POST ${capture.at}`]: { status, json: {} },
        })
        const unavailable = { code: 'provider_unavailable' }
        await expect(provider.capture?.(payment)).rejects.toMatchObject(unavailable)
      }
    },
  )

  it.each(conversations)('has only what its conversation shows: %s', async (name, conversation) => {
    const { provider } = await speakWith(name, conversation)
    const shown = {
      readPayment: 'reading',
      startRefund: 'refund',
      close: 'close',
      capture: 'capture',
    } as const
    for (const [part, key] of Object.entries(shown))
      expect([part, part in provider], `${name}.${part}`).toEqual([part, key in conversation])
  })
})

function sampleOf(name: string, sample = ''): Record<string, unknown> {
  const file = name === 'sandbox' ? 'standard-webhooks' : name
  const url = new URL(`../../support/vectors/${file}.json`, import.meta.url)
  const { payloadExamples } = JSON.parse(readFileSync(url, 'utf8'))
  return payloadExamples[sample]
}

/** What a sample says, in the form and with the signature that its provider sends. */
async function interpret(name: string, { sign }: ProviderExample, sample: object) {
  const sent =
    sign === 'unsigned'
      ? { rawBody: JSON.stringify(sample), headers: {} }
      : sign(secretsOf(name)[0], sample, NOW.getTime() / 1000)
  const rawBody = Buffer.from(sent.rawBody)
  const provider = await testProviders().find(name)
  return (await provider?.interpret({ method: 'POST', headers: {}, rawQuery: '', rawBody })) ?? []
}
