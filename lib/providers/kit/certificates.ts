import { X509Certificate } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import type { ProviderHttp } from '#lib/providers/provider'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
/** The most certificates that are read in one text. */
const CERTIFICATES_MAX = 10
/** The most addresses whose certificates are kept. Beyond it all are dropped and downloaded again when needed. */
const KEPT_MAX = 20

/** Returns the certificates of a PEM text, in order; throws for a text without any, and for an unreadable one. */
function certificatesIn(pem: string): X509Certificate[] {
  const found = pem.match(CERTIFICATE) ?? []
  if (found.length === 0) throw new Error('There is no certificate')
  return found.slice(0, CERTIFICATES_MAX).map((each) => new X509Certificate(each))
}

/** Root certificates as PEM: one text with all of them, or one text each. */
export const certificateRoots = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((pem, context) => {
    try {
      return [pem].flat().flatMap(certificatesIn)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not PEM' })
      return z.NEVER
    }
  })

const isValidAt = (certificate: X509Certificate, now: Date): boolean =>
  Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() <= Date.parse(certificate.validTo)

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/** Whether the first certificate leads to a root by the others, each of them valid now. */
function leadsToRoot(
  chain: readonly X509Certificate[],
  roots: Iterable<X509Certificate>,
  now: Date,
): boolean {
  const [certificate, ...others] = chain
  if (!certificate || !isValidAt(certificate, now)) return false
  for (const root of roots) {
    if (certificate.raw.equals(root.raw)) return true
    if (isIssuedBy(certificate, root) && isValidAt(root, now)) return true
  }
  const next = others.find((issuer) => issuer.ca && isIssuedBy(certificate, issuer))
  return next !== undefined && leadsToRoot([next, ...others.filter((each) => each !== next)], roots, now)
}

/** The roots that Node.js ships. To load them takes 20 ms, to parse all another 20: each is parsed as it is compared. */
const shippedRoots = {
  *[Symbol.iterator]() {
    for (const pem of process.getBuiltinModule('node:tls').rootCertificates) yield new X509Certificate(pem)
  },
}

/** Whether the certificate was made for `name` or a host below that: its one common name says so. */
function isNamed({ subject }: X509Certificate, name: string): boolean {
  const names = subject.split('\n').filter((line) => line.startsWith('CN='))
  const [common = ''] = names.map((line) => line.slice('CN='.length))
  return names.length === 1 && (common === name || common.endsWith(`.${name}`))
}

type Trusted = {
  name: string
  /** Without given roots, the roots that Node.js ships. */
  roots: readonly X509Certificate[] | undefined
}

/**
 * Opens a store of a sender's certificates. `at` downloads an address once, and keeps a valid certificate: made for `name`
 * or a host below it, valid now, and issued under one of the roots. The first certificate of a download is the sender's;
 * those after it lead to the root. `at` returns `untrusted` for an invalid certificate, undefined without a certificate.
 */
export function certificateStore(
  { http, now }: { http: ProviderHttp; now: Clock },
  { name, roots }: Trusted,
) {
  const kept = new Map<string, Promise<X509Certificate | 'untrusted' | undefined>>()
  const download = async (url: string) => {
    try {
      const { status, body } = await http({ method: 'GET', url })
      const chain = status === 200 ? certificatesIn(body) : []
      const [certificate] = chain
      if (!certificate) return undefined
      return isNamed(certificate, name) && leadsToRoot(chain, roots ?? shippedRoots, now())
        ? certificate
        : 'untrusted'
    } catch {
      return undefined
    }
  }
  return {
    /** Whether the certificate at an address is kept, so that it costs no request. */
    keeps: (url: string): boolean => kept.has(url),
    at: async (url: string) => {
      const pending = kept.get(url) ?? download(url)
      if (!kept.has(url) && kept.size >= KEPT_MAX) kept.clear()
      kept.set(url, pending)
      const certificate = await pending
      if (certificate instanceof X509Certificate && isValidAt(certificate, now())) return certificate
      // The next call downloads again. A kept certificate that has expired is untrusted, too.
      kept.delete(url)
      return certificate === undefined ? undefined : 'untrusted'
    },
  }
}
