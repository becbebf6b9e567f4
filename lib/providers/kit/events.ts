import type * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { cutText } from '#lib/kernel/cut-text'
import { sha256 } from '#lib/kernel/signatures'
import { boundedId, isProviderId, Statement } from '#lib/payments/state/fact'
import type { CallbackAnswer, ProviderEvent } from '#lib/providers/provider'

/** The acknowledgement of providers that ask for nothing but a 2xx. */
export const ACKNOWLEDGED: CallbackAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"received":true}',
}

/** Parses a JSON body; undefined when it is none. A callback's body is parsed only once it is verified. */
export function jsonOf(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Parses a JSON body with every number as its text: an amount such as 1255.10 never passes through a float, and an id
 * longer than 15 digits stays exact. Undefined when it is no JSON.
 */
export function jsonWithTextNumbers(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString(), textOfNumbers)
  } catch {
    return undefined
  }
}

/** A reviver of `JSON.parse`, whose context holds a number as it was written. */
const textOfNumbers = (_: string, value: unknown, context?: { source: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** An event without its identity. Empty and over-long references are left out. */
export type Interpretation = { references: readonly unknown[]; statement: Statement | null }

/** Interprets a value through the schema of the fields we use. A fault names fields, not their contents. */
export function interpret<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  read: (value: z.output<Schema>) => Interpretation,
): Interpretation | { fault: string } {
  const parsed = schema.safeParse(value)
  return parsed.success ? read(parsed.data) : { fault: faultOf(parsed.error) }
}

/**
 * Builds an event. A statement that could be stored but not be read again is a fault: it would make its whole payment
 * unreadable.
 */
export function eventOf(
  identity: { eventId: string; type: string },
  interpretation: Interpretation | { fault: string },
): ProviderEvent {
  const event = { eventId: boundedId(identity.eventId), type: clip(identity.type, '', TYPE_LIMIT) }
  const faulty = (fault: string): ProviderEvent => ({ ...event, references: [], statement: null, fault })
  if ('fault' in interpretation) return faulty(interpretation.fault)
  const checked = checkStatement(interpretation.statement)
  if ('fault' in checked) return faulty(checked.fault)
  return { ...event, references: referencesOf(interpretation.references), statement: checked.statement }
}

const StatementOrNone = Statement.nullable()

/** Returns a statement as it will be read again, or why it cannot be stored. */
export function checkStatement(
  statement: Statement | null,
): { statement: Statement | null } | { fault: string } {
  const parsed = StatementOrNone.safeParse(statement)
  if (!parsed.success) return { fault: faultOf(parsed.error) }
  const wrong = idsIn(parsed.data).find((id) => id != null && !isProviderId(id))
  if (wrong === undefined) return { statement: parsed.data }
  return { fault: `The id of the ${parsed.data?.kind} cannot be kept` }
}

function idsIn(statement: Statement | null): (string | null | undefined)[] {
  if (statement?.kind === 'dispute') return [statement.disputeId, statement.chargeId]
  if (statement?.kind === 'refund') return [statement.providerRefundId, statement.chargeId]
  if (statement?.kind === 'succeeded') return [statement.chargeId, statement.captureId]
  if (statement?.kind === 'taken_back') return [statement.chargeId, statement.captureId]
  if (statement?.kind === 'processing' || statement?.kind === 'failed') return [statement.tryId]
  return statement?.kind === 'fee' ? [statement.feeId, statement.chargeId] : []
}

/** The interpretation of an event that is about no payment. */
export const NO_PAYMENT: Interpretation = { references: [], statement: null }

/** Returns a table's own entry: never an inherited property, such as `constructor`. */
export const entryOf = <Value>(table: Partial<Record<string, Value>>, word: Text): Value | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

export type Interpreter<Value> = (value: Value, at: Timestamp) => Statement | null

/** Interprets a value by the table of a provider's types. A type that is missing there is about no payment. */
export function interpretByType<Schema extends z.ZodType>(
  table: Partial<Record<string, Interpreter<z.output<Schema>>>>,
  { type, eventId, at }: { type: string; eventId: string; at: Timestamp },
  { schema, value, references }: TypedValue<Schema>,
): ProviderEvent {
  const statementOf = entryOf(table, type)
  if (!statementOf) return eventOf({ eventId, type }, NO_PAYMENT)
  const interpretation = interpret(schema, value, (parsed) => ({
    references: references(parsed, type),
    statement: statementOf(parsed, at),
  }))
  return eventOf({ eventId, type }, interpretation)
}

/** A value, with the schema to parse it by and a function that reads its references. */
type TypedValue<Schema extends z.ZodType> = {
  schema: Schema
  value: unknown
  references: (value: z.output<Schema>, type: string) => readonly unknown[]
}

/** Builds the event of a verified body that is not as documented. Its id is the body's hash. */
export const unreadableEvent = (rawBody: Buffer, error: z.ZodError): ProviderEvent => ({
  eventId: sha256(rawBody),
  type: 'unreadable',
  references: [],
  statement: null,
  fault: faultOf(error),
})

/** The length to which an event's type is cut, and that of other texts. */
const TYPE_LIMIT = 200
const TEXT_LIMIT = 500

/** Returns the values that can be stored as references, each once. */
export const referencesOf = (values: readonly unknown[]): string[] => {
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : value))
  return [...new Set(texts.filter(isProviderId))]
}

const faultOf = (error: z.ZodError): string =>
  cutText(
    error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    TEXT_LIMIT,
  )

export type Moment = number | string | null | undefined

/** Returns the moment that a provider names, in Unix seconds or as text; null for an unreadable one and for 0. */
export function namedMoment(value: Moment): Timestamp | null {
  if (value === 0) return null
  const moment = typeof value === 'number' ? new Date(value * 1000) : new Date(value ?? Number.NaN)
  if (Number.isNaN(moment.getTime())) return null
  return Timestamp.safeParse(moment.toISOString()).data ?? null
}

/** Returns the moment that a provider names; `otherwise` where `namedMoment` finds none. */
export const momentOf = (value: Moment, otherwise: Date): Timestamp =>
  namedMoment(value) ?? timestamp(otherwise)

export type Text = string | null | undefined

/** Cuts a provider's text to the length that is stored; `otherwise` where it has none. */
export const clip = (value: Text, otherwise: string, limit = TEXT_LIMIT): string =>
  cutText(value || otherwise, limit)
