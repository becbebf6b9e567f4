import type { ComponentChildren } from 'preact'
import { codes, type ReasonAbout, reasonLabel, words } from '../words/words.ts'
import { count, dateTime, money } from './format.ts'
import { isId, NameLink } from './name-link.tsx'

type Data = Readonly<Record<string, unknown>>
/** A fact with its name. The name is empty for a change from one value to another. */
type Entry = readonly [name: string, value: ComponentChildren]

/** The words for the codes in the facts of actions and events. */
const WORDS: Readonly<Record<string, string>> = {
  ...codes.kycStatus,
  ...codes.listingStatus,
  ...codes.availability,
  ...codes.accountStatus,
  ...codes.payoutStatus,
  ...codes.disputeState,
  ...codes.callbackStatus,
  ...codes.paymentStatus,
  ...codes.outcome,
  ...codes.purpose,
  ...codes.mail,
  ...codes.listingField,
}

/** Returns a code in words. Of codes in a row, such as `callback resolved: ATTACH`, each part is put into words. */
const wordOf = (code: string): string =>
  WORDS[code] ??
  codes.otherCode[code] ??
  code
    .split(': ')
    .map((part) => WORDS[part] ?? codes.otherCode[part] ?? part)
    .join(': ')

/** Returns what the reasons of an action or an event are about, by its type. */
function aboutOf(type: string): ReasonAbout {
  if (type.startsWith('kyc.')) return 'identity'
  if (type === 'listing.reported') return 'report'
  return type.startsWith('enquiry.') ? 'enquiry' : 'listing'
}

/** Returns the facts of an action or an event, each with its name, in words, money and links, without empty ones. */
export function detailsInWords(type: string, data: Data, subject: string): Entry[] {
  const { from, to, ...others } = data
  const isMove = to !== undefined
  // A currency is shown within its amounts.
  const isInAmounts = (name: string) => CURRENCY.test(name) && hasMoney(others)
  return [
    ...(isMove ? [['', moveText(from, to)] as const] : []),
    ...Object.entries({ ...others, ...(!isMove && { from }) })
      .filter(([name, value]) => !isEmpty(value) && !LEFT_OUT.has(name) && !isInAmounts(name))
      .sort(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b))
      .map(
        ([name, value]) =>
          [
            codes.detail[name] ?? name,
            shownOf(name, value, { type, currency: currencyOf(name, data) ?? subject }),
          ] as const,
      ),
  ]
}

/** The facts of an action or an event in words, on one line. */
export const DetailsInWords = ({ type, data, subject }: { type: string; data: Data; subject: string }) => (
  <>
    {detailsInWords(type, data, subject).map(([name, value], index) => (
      <span key={name}>
        {index > 0 && ' · '}
        {name && `${name}: `}
        {value}
      </span>
    ))}
  </>
)

const isEmpty = (value: unknown): boolean =>
  value == null || value === false || (Array.isArray(value) && value.length === 0)

/** Ids that group records and tell a reader nothing. */
const LEFT_OUT = new Set(['decision', 'transaction'])

/** Returns 0 for the facts that come first, 1 for the others. */
const rankOf = (name: string): number => (/^(reasons?|amount)$/.test(name) ? 0 : 1)

/** The names of sums, such as `amount`, `amountRefunded`, `minimum` and `refundAmount`. */
const MONEY = /^(amount|minimum)|Amount$/

/** The names of currencies: `currency`, and those of sums that have one of their own, such as `refundCurrency`. */
const CURRENCY = /^currency$|Currency$/

/** Returns the currency of a sum. A run of payouts has none among its facts: its subject is the currency. */
function currencyOf(name: string, data: Data): string | undefined {
  const currency = data[name.replace(/Amount$/, 'Currency')]
  return [currency, data['currency']].find((each) => typeof each === 'string')
}

const hasMoney = (data: Data): boolean => Object.keys(data).some((name) => MONEY.test(name))

/** Returns a change from one value to another in words. An object without a currency holds an agent's limits. */
function moveText(from: unknown, to: unknown): string {
  if (typeof to === 'object' && to !== null && !('currency' in to)) return limitsText(from, to)
  return [from, to]
    .filter((one) => one != null)
    .map(plainText)
    .join(' → ')
}

const isMoney = (value: unknown): value is { amount: number; currency: string } =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value

const plainText = (value: unknown): string => {
  if (isMoney(value)) return money(value.amount, value.currency)
  return typeof value === 'string' ? wordOf(value) : JSON.stringify(value)
}

/** Returns the limits of an agent that were changed, in words. */
const limitsText = (from: unknown, to: object): string =>
  Object.entries(to)
    .map(([name, value]) => [name, (from as Data | null)?.[name] ?? '–', value ?? '–'] as const)
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${codes.detail[name] ?? name} ${before} → ${after}`)
    .join(', ')

const TIME = /^\d{4}-\d\d-\d\dT/

type Context = { type: string; currency: string }

function shownOf(name: string, value: unknown, { type, currency }: Context): ComponentChildren {
  if (Array.isArray(value)) return listText(name, value, type)
  if (typeof value === 'number') return MONEY.test(name) ? money(value, currency) : count(value)
  if (typeof value === 'boolean') return words.common.yes
  if (typeof value !== 'string') return plainText(value)
  if (isId(value)) return <NameLink id={value} />
  if (TIME.test(value)) return dateTime(value)
  return name === 'reason' ? reasonLabel(aboutOf(type), wordOf(value)) : wordOf(value)
}

function listText(name: string, value: readonly unknown[], type: string): string {
  if (name === 'reasons') return value.map((code) => reasonLabel(aboutOf(type), `${code}`)).join(', ')
  // Ids tell a reader nothing: their number is shown.
  if (value.every((one) => isId(`${one}`))) return count(value.length)
  return value.map((one) => codes.detail[`${one}`] ?? wordOf(`${one}`)).join(', ')
}
