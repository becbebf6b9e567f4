import { isValidIBAN } from 'ibantools'
import * as z from 'zod'
import { Phone } from '#lib/accounts/account'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { type DataKeys, unseal } from '#lib/kernel/sealed'
import { asciiUpperCase, text } from '#lib/kernel/text'
import { Country } from '#lib/listings/country'
import { MobileNetwork, mobileCurrencyOf, networksIn } from '#lib/providers/mobile-networks'
import { PayoutTarget } from '#lib/providers/payout-port'

const country = Country.meta({ description: 'Where the account is', example: 'CI' })
const everyMethod = { country, currency: Currency, holder: text({ max: 120 }) }

const compact = (value: string): string => asciiUpperCase(value.replace(/[\s-]/g, ''))

/**
 * Whether an IBAN of Côte d'Ivoire is valid: `ibantools` knows only its former shape, with one letter.
 *
 * @see https://www.swift.com/standards/data-standards/iban-international-bank-account-number
 */
const isIvorianIban = (iban: string): boolean =>
  /^CI\d\d[A-Z]{2}\d{22}$/.test(iban) &&
  [...`${iban.slice(4)}${iban.slice(0, 4)}`].reduce(
    (rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97,
    0,
  ) === 1

/** An IBAN with its check digits (ISO 13616). Spaces and lower case are accepted and not kept. */
const Iban = z
  .string()
  .max(60)
  .transform(compact)
  .refine((value) => isValidIBAN(value) || isIvorianIban(value), 'must be an IBAN with right check digits')
const AccountNumber = z
  .string()
  .max(60)
  .transform(compact)
  .pipe(z.string().regex(/^[0-9A-Z]{4,34}$/, 'must be 4 to 34 letters and digits'))
const BankCode = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z]{2,20}$/, 'must be 2 to 20 letters and digits')

const bank = z.object({
  method: z.literal('bank'),
  ...everyMethod,
  iban: Iban.nullish(),
  accountNumber: AccountNumber.nullish(),
  bankCode: BankCode.nullish(),
})
const mobileMoney = z.object({
  method: z.literal('mobile_money'),
  ...everyMethod,
  phone: Phone,
  network: MobileNetwork,
})

/** The account that an agent wants to be paid to. */
export const PayoutAccountInput = z
  .discriminatedUnion('method', [bank, mobileMoney])
  .superRefine((account, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: account })
    if (account.method === 'bank') refuseBank(account, refuse)
    else refuseMobileMoney(account, refuse)
  })
  .meta({
    id: 'PayoutAccountInput',
    example: {
      method: 'mobile_money',
      country: 'CI',
      currency: 'XOF',
      holder: 'Awa Koné',
      phone: '+2250700000000',
      network: 'mtn',
    },
  })
export type PayoutAccountInput = z.infer<typeof PayoutAccountInput>

type Refuse = (path: string, message: string) => void

function refuseBank({ iban, accountNumber, bankCode, country }: z.infer<typeof bank>, refuse: Refuse): void {
  if (iban) {
    if (accountNumber) refuse('accountNumber', 'must be absent beside iban')
    else if (!iban.startsWith(country)) refuse('iban', 'must be an IBAN of the country')
    return
  }
  if (!accountNumber) refuse('iban', 'is required, or accountNumber with bankCode')
  else if (!bankCode) refuse('bankCode', 'is required beside accountNumber')
}

function refuseMobileMoney(
  { network, country, currency }: z.infer<typeof mobileMoney>,
  refuse: Refuse,
): void {
  const networks = networksIn(country)
  if (!networks.includes(network)) {
    refuse('network', `must be a network of the country: ${networks.join(', ') || 'there is none'}`)
  }
  const own = mobileCurrencyOf(country)
  if (own !== undefined && own !== currency) refuse('currency', `must be ${own}, the currency of the country`)
}

/** An agent's payout account as it is stored. `sealed` is the encrypted `PayoutTarget`. */
export const PayoutAccount = z.object({
  agentId: UserId,
  method: z.enum(['bank', 'mobile_money']),
  country: Country,
  currency: Currency,
  /** Decides, with `bankCode`, which provider can pay to the account. */
  network: MobileNetwork.nullable().default(null),
  bankCode: z.string().nullable().default(null),
  last4: z.string(),
  sealed: z.string(),
  /** No payout goes out before this moment. */
  usableFrom: Timestamp,
  updatedAt: Timestamp,
  /** Counts the writes; every write is conditional on the one before it. */
  version: z.int().min(1),
})
export type PayoutAccount = z.infer<typeof PayoutAccount>

/** A payout account as its agent sees it. The number never comes back. */
export const PayoutAccountView = z
  .object({
    method: z.enum(['bank', 'mobile_money']),
    country,
    currency: Currency,
    holder: z.string().meta({ example: 'Awa Koné' }),
    last4: z.string().meta({ description: 'The last four characters of the number', example: '4021' }),
    bankCode: z.string().nullable().meta({ example: 'CI059' }),
    network: MobileNetwork.nullable(),
    usableFrom: Timestamp.meta({ description: 'No payout goes out before this moment' }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'PayoutAccount' })
export type PayoutAccountView = z.infer<typeof PayoutAccountView>

/** Returns the part of an input that is encrypted. */
export const targetOf = (input: PayoutAccountInput): PayoutTarget =>
  input.method === 'bank'
    ? {
        method: input.method,
        holder: input.holder,
        iban: input.iban ?? null,
        accountNumber: input.accountNumber ?? null,
        bankCode: input.bankCode ?? null,
      }
    : { method: input.method, holder: input.holder, phone: input.phone, network: input.network }

/** Returns what an agent sees of an account whose target was decrypted. */
export const accountView = (account: PayoutAccount, target: PayoutTarget): PayoutAccountView => ({
  method: account.method,
  country: account.country,
  currency: account.currency,
  holder: target.holder,
  last4: account.last4,
  bankCode: target.method === 'bank' ? target.bankCode : null,
  network: target.method === 'mobile_money' ? target.network : null,
  usableFrom: account.usableFrom,
  updatedAt: account.updatedAt,
})

/** Returns where the money of an account, or of a payout made for it, goes. */
export const unsealTarget = async (
  { dataKeys }: { dataKeys: DataKeys },
  { agentId, sealed }: { agentId: UserId; sealed: string },
): Promise<PayoutTarget> => PayoutTarget.parse(JSON.parse(await unseal(dataKeys, agentId, sealed)))
