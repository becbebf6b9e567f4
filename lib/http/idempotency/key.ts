import { type HttpEvent, header } from '#lib/http/request'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { Idempotency } from './idempotency.ts'

/**
 * The request's `Idempotency-Key`, looked at before its body. Throws `idempotency_key_required` for a missing key that
 * the endpoint demands, and `validation_failed` for a key that is not 1 to 255 visible ASCII characters.
 */
export function keyOf(idempotency: Idempotency | undefined, event: HttpEvent): string | undefined {
  const key = idempotency && header(event, 'idempotency-key')
  if (key === undefined) {
    if (idempotency?.isDemanded) throw new DomainError('idempotency_key_required')
    return undefined
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  return key
}
