import { type Account, storeCommand } from './account.ts'
import type { AccountValue } from './account-values.ts'

type Options = {
  region: string
  /** Whether missing values are stored. Otherwise the commands that store every value are reported. */
  write: boolean
}

/**
 * Makes the values of a stage. Keeps those that the account holds already. Returns the missing ones that only the operator
 * knows.
 */
export async function storeSecrets(
  account: Account,
  values: readonly AccountValue[],
  { region, write }: Options,
  report: (line: string) => void,
): Promise<AccountValue[]> {
  const known = new Map<string, string>()
  const unknown: AccountValue[] = []
  for (const value of values) {
    const stored = write ? await account.read(value) : undefined
    const text = stored ?? (await value.make?.(known))
    if (text === undefined) {
      unknown.push(value)
      continue
    }
    // Later values may be made from this one, whether it is new or was stored before.
    known.set(value.name, text)
    if (stored !== undefined) report(`${value.name} is there`)
    else if (write) await account.create(value, text).then(() => report(`${value.name} made`))
    else report(`# ${value.what}\n${storeCommand(value, text, region)}`)
  }
  return unknown
}
