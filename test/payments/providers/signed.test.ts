import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deliver } from '#test/support/callbacks'
import { SETTINGS, testProviders } from '#test/support/providers'

const NOW = new Date('2026-11-20T12:00:00Z')

type Sent = { headers: Record<string, string>; rawBody: string }
type Sign = (secret: string, sample: object) => Sent

/** How each provider signs, and the setting that holds its secrets. */
const SIGNS: Record<string, { sign: Sign; key?: string; more?: object }> = {}

const OLD = '11223344D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'
const NEW = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

const providersOf = (name: string) => {
  const secrets = SIGNS[name]?.key
    ? { [SIGNS[name].key]: OLD, webhookSecrets: [NEW] }
    : { webhookSecrets: [OLD, NEW] }
  return testProviders({ [name]: { ...SETTINGS[name], ...secrets } }, { now: () => NOW })
}

const send = (name: string, sent: Sent) =>
  deliver({ provider: name, ...sent }, { providers: providersOf(name), now: () => NOW })

describe.each(Object.entries(SIGNS))('what %s signs', (name, { sign }) => {
  const sample = sampleOf(name)

  it('is taken in under either of two secrets, so that they can rotate', async () => {
    for (const secret of [OLD, NEW])
      expect(await send(name, sign(secret, sample))).toMatchObject({ status: 200 })
  })

  it('is refused under any other secret, and when it was changed', async () => {
    const genuine = sign(NEW, sample)
    const tampered = { ...genuine, rawBody: genuine.rawBody.replace(/125(500?|\.50)/, '1') }
    expect(tampered.rawBody).not.toBe(genuine.rawBody)
    for (const forged of [sign(OLD.replace('1', '2'), sample), tampered]) {
      expect(await send(name, forged)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    }
  })
})

/** The first documented sample of a provider. */
function sampleOf(name: string): object {
  const url = new URL(
    `../../support/vectors/${name.replace('checkout-com', 'checkout.com')}.json`,
    import.meta.url,
  )
  const { payloadExamples } = JSON.parse(readFileSync(url, 'utf8'))
  return payloadExamples.succeeded ?? payloadExamples.v4_succeeded
}
