import { type AccountValue, publicHalves } from './account-values.ts'

/**
 * The steps of a rotation. `add` puts a new key last, where it is accepted but not used yet. `use` puts it first, where
 * it signs or encrypts. `drop` removes the last one: the old key, or a new one that was not used yet.
 */
export const STEPS = ['add', 'use', 'drop'] as const
export type Step = (typeof STEPS)[number]

const SIGNING_KEYS = 'auth-signing-keys'
const PUBLIC_KEYS = 'auth-jwks'

/** The keys of a stage that rotate by these steps. */
export const ROTATED = [SIGNING_KEYS, 'hmac-keys', 'data-keys', 'cursor-keys', 'origin-secrets'] as const

const nameOf = ({ name }: AccountValue): string => name.split('/').at(-1) ?? ''

/**
 * Takes one step of a key's rotation. Returns the new text of each value that the step changes. Throws where the stored
 * keys do not allow the step. `read` returns the values that the account holds.
 */
export async function rotate(
  step: Step,
  key: string,
  values: readonly AccountValue[],
  read: (value: AccountValue) => Promise<string | undefined>,
): Promise<Map<AccountValue, string>> {
  const value = values.find((each) => nameOf(each) === key)
  const text = value && (await read(value))
  if (!value?.make || text === undefined) throw new Error(`The stage has no ${key}: npm run secrets makes it`)
  // The signing keys are a JWKS; the keys of the other values are separated by commas.
  const isKeySet = key === SIGNING_KEYS
  const keys = keysIn(text, isKeySet)
  if (step === 'add' && keys.length > 1)
    throw new Error(`${key} holds two keys already: use or drop the one that was added`)
  if (step !== 'add' && keys.length < 2) throw new Error(`${key} holds one key: add another first`)
  // The map is empty: the keys that rotate are made of no other value.
  const fresh = step === 'add' ? keysIn(await value.make(new Map()), isKeySet) : []
  const next = textOf(keysAfter(step, keys, fresh), isKeySet)
  const changed = new Map([[value, next]])
  const published = values.find((each) => nameOf(each) === PUBLIC_KEYS)
  // `use` changes only which key signs, not which keys verify.
  if (isKeySet && published && step !== 'use') changed.set(published, publicHalves(next))
  return changed
}

function keysAfter(step: Step, keys: readonly unknown[], fresh: readonly unknown[]): unknown[] {
  if (step === 'add') return [...keys, ...fresh]
  return step === 'use' ? [...keys.slice(-1), ...keys.slice(0, -1)] : keys.slice(0, -1)
}

const keysIn = (text: string, isKeySet: boolean): unknown[] =>
  isKeySet ? (JSON.parse(text) as { keys: unknown[] }).keys : text.split(',')

const textOf = (keys: readonly unknown[], isKeySet: boolean): string =>
  isKeySet ? JSON.stringify({ keys }) : keys.join(',')
