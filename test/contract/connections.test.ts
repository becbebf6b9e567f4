import { Socket } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { spec as createWebhook } from '#functions/webhooks/create-webhook'
import { spec as testWebhook } from '#functions/webhooks/test-webhook'
import { SDK_ALIAS } from '#lib/package/bundle'
import { NATIVE_PACKAGES } from '#lib/package/native-packages'
import { type Attestation, certifiedAttestations, noAttestation } from '#test/support/attestations'
import { softPasskey } from '#test/support/authenticator'
import { call } from '#test/support/call'
import { steppedUp } from '#test/support/factors'
import { pdf } from '#test/support/files'
import { functionFiles } from '#test/support/function-modules'
import { anAgent, aUser, consoleToken } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { delivered } from '#test/support/media'
import { filePart, multipartBody, textPart } from '#test/support/multipart'
import { jpeg } from '#test/support/pictures'
import { type StandIn, startStandIn } from '#test/support/stand-in'

const ROOT = join(import.meta.dirname, '../..')

/** All code of functions that can open a connection, and why no caller decides where it leads. */
const CONNECTING: Record<string, string> = {
  '@hyzyla/pdfium': 'WebAssembly, which has no sockets',
  '@middy/util': 'reads the texts of statuses from node:http',
  '@simplewebauthn/server': 'fetches for attestations with certificates: those below do not reach it',
  '@smithy/core': 'asks the machine for its region only without AWS_REGION',
  '@smithy/node-http-handler': 'sends what the AWS SDK makes, to addresses that the environment gives',
  jose: 'fetches keys by lib/http/outgoing-call.ts, from an address of the settings',
  'lib/http/outgoing-call.ts': 'calls payment providers and OpenID providers of the settings',
  'lib/providers/kit/certificates.ts': 'reads the root certificates from node:tls',
  'lib/webhooks/post-webhook.https.ts': 'sends to the address of an administrator, once it is checked',
  'lib/webhooks/reachable-address.ts': 'reads addresses by node:net',
  'lib/webhooks/webhook.ts': 'reads addresses by node:net',
  nodemailer: 'sends to MAIL_TRANSPORT, and has no attachment to fetch',
  sharp: 'is handed bytes, and libvips decodes them without a loader of addresses',
}

const BUILT_IN =
  /(?:from|import|require\(|import\(|getBuiltinModule\() ?"(?:node:)?(?:child_process|dgram|dns(?:\/promises)?|http|http2|https|net|tls)"/
const GLOBALS = ['EventSource', 'WebSocket', 'fetch', 'globalThis.fetch']
/** Stands for a global in the bundle, where names of ours are not taken for it. */
const MARK = 'opens_connections'

/** Returns the packages and files of ours that all functions are bundled of, if they can open a connection. */
async function connecting(): Promise<string[]> {
  const files = await functionFiles()
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: files.map(({ file }, index) => `export * as f${index} from './${file}'`).join('\n'),
      resolveDir: ROOT,
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: [...NATIVE_PACKAGES, '*.derived', '*.derived.ts'],
    define: Object.fromEntries(GLOBALS.map((name) => [name, MARK])),
    alias: SDK_ALIAS,
    logLevel: 'error',
  })
  // A comment with its path comes before each file.
  const parts = outputFiles[0]?.text.split(/^\s*\/\/ (?=(?:node_modules|lib|functions)\/\S+$)/m) ?? []
  const names = parts.flatMap((part) => {
    const [path = '', code = ''] = part.split(/\n([\s\S]*)/)
    const natives = NATIVE_PACKAGES.filter((name) => code.includes(`"${name}"`))
    return BUILT_IN.test(code) || code.includes(MARK) ? [...natives, nameOf(path)] : natives
  })
  return [...new Set(names)].sort()
}

/** A package's name; of a file of ours its path. */
const nameOf = (path: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path

it('All code of functions that can open a connection is known, with the reason why no caller decides where to.', async () => {
  expect(await connecting()).toEqual(Object.keys(CONNECTING).sort())
})

describe('connections', () => {
  let named: StandIn
  const connected = vi.spyOn(Socket.prototype, 'connect')

  beforeAll(async () => {
    named = await startStandIn(() => ({ json: {} }))
  })
  beforeEach(() => {
    connected.mockClear()
    named.requests.length = 0
  })
  afterAll(() => {
    connected.mockRestore()
    named.close()
  })

  /** Expects connections to the database and the buckets alone. */
  function expectNoOther() {
    const { dynamoEndpoint, s3Endpoint } = inject('stack')
    const ours = [dynamoEndpoint, s3Endpoint].map((url) => new URL(url).port)
    const options = connected.mock.calls.flatMap(([first]) => [first].flat().slice(0, 1))
    const ports = options.map((each) => String(Object(each).port))
    expect(ports.filter((port) => !ours.includes(port))).toEqual([])
    expect(named.requests).toEqual([])
  }

  it('Passkeys whose attestation names an address connect to none and are refused; one that attests nothing is added.', async () => {
    const add = async (attestation: Attestation) => {
      const token = await steppedUp(await aUser())
      const { body } = await call(beginPasskey, { token })
      const credential = softPasskey().create(body.options, { attestation })
      const sent = { challenge: body.challenge, name: 'My phone', credential }
      return (await call(addPasskey, { token, body: sent })).status
    }
    for (const [format, attestation] of Object.entries(certifiedAttestations(named.url)))
      expect(await add(attestation), format).toBe(400)
    expect(await add(noAttestation)).toBe(201)
    expectNoOther()
  })

  it('Uploads that name an address connect to none, neither when they are stored nor when they are decoded.', async () => {
    const agent = await anAgent()
    const id = await aListing(agent.id, { status: 'DRAFT' })
    const action = `<</OpenAction<</S/URI/URI(${named.url})>>/Type/Catalog`
    const plan = pdf().toString('latin1').replace('<</Type/Catalog', action)
    const { status, body } = await call(uploadMedia, {
      params: { id },
      token: agent.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      rawBody: multipartBody('b', [
        filePart(jpeg(), { filename: named.url }),
        filePart(plan, {
          filename: `${named.url}/plan.pdf`,
          type: `message/external-body; url=${named.url}`,
        }),
        textPart(named.url),
        textPart(named.url, 'url'),
      ]),
    })
    expect(status).toBe(201)
    for (const item of body.items) await delivered(id, item.id)
    expectNoOther()
  })

  it('The registration of a webhook and its test connect to no address: a job sends later what they leave.', async () => {
    const token = await consoleToken()
    const register = (url: string) =>
      call(createWebhook, { token, body: { url, types: ['user.registered'] } })
    const inside = [named.url, named.url.replace('http:', 'https:'), 'https://localhost/', 'https://[::1]/']
    for (const url of inside) expect((await register(url)).status, url).toBe(400)
    const { body } = await register('https://receiver.example/hooks')
    expect((await call(testWebhook, { token, params: { id: body.id } })).status).toBe(202)
    expectNoOther()
  })
})
