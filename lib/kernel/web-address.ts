import * as z from 'zod'
import { holdsInvisible } from './text.ts'

/**
 * A URL of at most `max` characters, by default of `http` or `https`. `z.url` drops the line breaks in it and the blanks
 * around it; other blanks are refused.
 */
export const webAddress = ({ max, scheme = WEB }: { max: number; scheme?: RegExp }) =>
  z
    .url({ protocol: scheme })
    .max(max)
    .superRefine((address, context) => {
      const fault = faultOfAddress(address)
      if (fault) context.addIssue({ code: 'custom', message: fault, input: address })
    })
    .meta({
      description:
        'Without a user name, blanks and invisible characters, at a host that a name server can know',
    })

const WEB = /^https?$/

/** Returns the fault of an address that can be parsed; undefined without a fault. */
function faultOfAddress(address: string): string | undefined {
  if (!address.isWellFormed()) return 'must be well-formed Unicode'
  if (/[\s\\]/.test(address) || holdsInvisible(address)) {
    return 'must hold no blanks, backslashes and invisible characters'
  }
  const url = URL.parse(address)
  if (url === null) return undefined
  // The text is tested: the parsed URL of `https://@host` shows no user name.
  if (/^[^/?#]*\/\/[^/?#]*@/.test(address)) return 'must hold no user name and no password'
  if (url.port === '0') return 'must name a port above 0'
  // In an address with an app's own scheme the host is the app's to choose.
  const isOnWeb = WEB.test(url.protocol.slice(0, -1))
  return isOnWeb && !isHost(url.hostname) ? 'must name a host' : undefined
}

/** Whether a parsed host is an IP address or a name that DNS can hold (RFC 1123, section 2.1); some names hold `_`, too. */
function isHost(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return host.startsWith('[') || (name.length <= 253 && name.split('.').every((label) => LABEL.test(label)))
}

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
