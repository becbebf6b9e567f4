import { randomBytes } from 'node:crypto'
import {
  type Attestation,
  certifiedAttestations,
  noAttestation,
  selfAttestation,
} from '#test/support/attestations'
import { softPasskey } from '#test/support/authenticator'
import { startStandIn } from '#test/support/stand-in'
import { newUser } from './callers.ts'
import type { Ask } from './lives.ts'
import { PASSWORD } from './make-values.ts'
import type { Report } from './report.ts'

/**
 * Sends passkeys with attestations of every format, each of another person, since wrong ones count. An attestation that
 * the service does not refuse, or an address in one that it calls, is a finding.
 */
export async function playPasskeys(
  ask: Ask,
  { url, report }: { url: string; report: Report },
): Promise<void> {
  const named = await startStandIn(() => ({ json: {} }))
  const garbage: Attestation = () => ({ fmt: 'android-key', attStmt: new Map([['x5c', [randomBytes(500)]]]) })
  const accepted = { none: noAttestation, 'packed by itself': selfAttestation }
  const refused: Record<string, Attestation> = { ...certifiedAttestations(named.url), garbage }
  for (const [format, attestation] of Object.entries({ ...accepted, ...refused })) {
    const person = await newUser(url)
    const { accessToken } = await ask(person, 'POST /auth/step-up', { body: { password: PASSWORD } })
    const steppedUp = { ...person, authorization: `Bearer ${accessToken}` }
    const { challenge, options } = await ask(steppedUp, 'POST /auth/passkeys/options')
    const credential = softPasskey().create(options, { origin: url, attestation })
    await ask(steppedUp, 'POST /auth/passkeys', {
      body: { challenge, name: format, credential },
      statuses: [format in refused ? 400 : 201],
    })
    if (named.requests.length > 0) report.noteOfRun(`POST /auth/passkeys calls an address of ${format}`)
    named.requests.length = 0
  }
  named.close()
}
