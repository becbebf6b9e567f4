import { signal } from '@preact/signals'
import { type Change, sendChange } from '../api/client.ts'
import { asRefusal, Refusal } from '../api/refusal.ts'
import { renewLoaded } from '../api/use-load.ts'
import { count } from '../parts/format.ts'
import { administrator, isSignInOld } from '../session/session.ts'
import { words } from '../words/words.ts'
import { clearDraft, draftText, restoreDraft } from './drafts.ts'
import { go } from './router.ts'
import { say, sayRefused } from './toasts.tsx'

/** A decision that is held for some seconds before it is sent, so that it can be undone. */
type Decision = {
  /** The id of what is decided on. */
  subject: string
  text: string
  /** The page of the decision's form. */
  link: string
  change: Change
  /** The key of the typed texts, which are kept until the decision has arrived. */
  draft?: string
  /** The keys of loaded values that the decision makes stale, or the first words of such keys. */
  staleKeys: readonly string[]
  /** The API asks for a recent sign-in, and so does the console before it holds the decision. */
  needsRecentSignIn?: boolean
  /** The fields that the reader saw, to be compared with what another has changed since. */
  seen?: Readonly<Record<string, string>>
}

export type HeldDecision = Decision & {
  id: string
  /** Who decided: another administrator of the same browser does not send it. */
  by: string
  /** The typed texts, which return to the form if the decision is undone or refused. */
  typed: string | undefined
  sendsAt: number
  /** `stale`: the API may no longer know whether it has arrived, so the reader looks and decides again. */
  state: 'held' | 'sending' | 'waiting' | 'old_sign_in' | 'stale'
  /** When it was first sent; null before. */
  firstSentAt: number | null
}

const HELD_MILLISECONDS = 8_000
const RETRIED_EVERY_MILLISECONDS = 4_000
const CHECKED_EVERY_MILLISECONDS = 250
/** The API answers a repeated request as the first one for 24 hours. */
const REPEATED_FOR_MILLISECONDS = 23 * 60 * 60 * 1_000
const PREFIX = 'held:'

/** The decisions of this tab that have not arrived yet, oldest first. */
export const heldDecisions = signal<readonly HeldDecision[]>([])

/** The present time, updated while any decision is held. */
export const countdownNow = signal(Date.now())

/** The decisions that other tabs of this administrator hold, by their ids. */
const heldElsewhere = signal<ReadonlyMap<string, HeldDecision>>(new Map())

/** By subject: the fields that the reader saw, where another administrator's change came before the decision. */
const overtaken = new Map<string, Readonly<Record<string, string>>>()

const refusals = signal<ReadonlyMap<string, Refusal>>(new Map())

/** Returns the fields that the reader saw of a subject, if another's change came before the reader's decision. */
export const seenBeforeConflict = (subject: string): Readonly<Record<string, string>> | undefined =>
  overtaken.get(subject)

/** Returns why the last decision on a subject was refused; undefined if it was not. */
export const refusalOf = (subject: string): Refusal | undefined => refusals.value.get(subject)

/** Returns the decision on one of these subjects that has not arrived yet, of this tab or another. */
export const heldOn = (subjects: readonly string[]): HeldDecision | undefined =>
  [...heldDecisions.value, ...heldElsewhere.value.values()].find(({ subject }) => subjects.includes(subject))

/** Whether another tab holds a decision, which only that tab takes back. */
export const isHeldElsewhere = ({ id }: HeldDecision): boolean => heldElsewhere.value.has(id)

/** Leaves out of a queue what the reader has decided on, although the decision has not arrived yet. */
export const withoutDecided = <T>(
  items: T[] | undefined,
  subjectsOf: (item: T) => readonly string[],
): T[] | undefined => items?.filter((item) => heldOn(subjectsOf(item)) === undefined)

/** The requests under way, by the ids of their decisions. */
const requests = new Map<string, Promise<void>>()
/** Functions that release the locks which this tab has on decisions, by the ids of the decisions. */
const releases = new Map<string, () => void>()
/** The decisions whose lock this tab waits for. */
const awaited = new Set<string>()
let timer: ReturnType<typeof setInterval> | undefined

function show(decisions: readonly HeldDecision[]): void {
  heldDecisions.value = decisions
  if (decisions.length > 0) timer ??= setInterval(sendDue, CHECKED_EVERY_MILLISECONDS)
  else {
    clearInterval(timer)
    timer = undefined
  }
}

/** Stores a decision where it outlives the tab. */
const store = (held: HeldDecision): void => localStorage.setItem(PREFIX + held.id, JSON.stringify(held))

function update(id: string, to: Partial<HeldDecision>): void {
  show(heldDecisions.peek().map((held) => (held.id === id ? { ...held, ...to } : held)))
  const changed = heldDecisions.peek().find((held) => held.id === id)
  if (changed) store(changed)
}

function drop({ id }: HeldDecision): void {
  show(heldDecisions.peek().filter((held) => held.id !== id))
  localStorage.removeItem(PREFIX + id)
  releases.get(id)?.()
  releases.delete(id)
}

/**
 * Holds a decision for some seconds, in which the reader can undo it, then sends it. A decision is also sent where the
 * page is left or loaded again before that. Throws a `Refusal` where the decision needs a more recent sign-in.
 */
export function sendUnlessUndone(decision: Decision): void {
  const { subject, draft, needsRecentSignIn = false } = decision
  if (needsRecentSignIn && isSignInOld()) throw new Refusal({ code: 'step_up_required', status: 403 })
  overtaken.delete(subject)
  refusals.value = without(refusals.value, subject)
  countdownNow.value = Date.now()
  const held: HeldDecision = {
    ...decision,
    id: crypto.randomUUID(),
    by: administrator.peek(),
    typed: draft && draftText(draft),
    sendsAt: countdownNow.value + HELD_MILLISECONDS,
    state: 'held',
    firstSentAt: null,
  }
  show([...heldDecisions.peek(), held])
  lock(held.id, () => {
    // Stored only now that this tab has the lock: other tabs wait for the lock of every decision that they see stored.
    const now = heldDecisions.peek().find(({ id }) => id === held.id)
    if (now) store(now)
    return now !== undefined
  })
}

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([one]) => one !== key))

/**
 * Waits for the lock of a decision, so that two tabs never send the same one, and keeps the lock if the decision is still
 * wanted. The browser releases the locks of a tab that is closed or breaks down.
 */
function lock(id: string, isWanted: () => boolean): void {
  awaited.add(id)
  void navigator.locks.request(PREFIX + id, () => {
    awaited.delete(id)
    return isWanted() ? new Promise<void>((release) => releases.set(id, release)) : undefined
  })
}

function sendDue(): void {
  countdownNow.value = Date.now()
  for (const held of heldDecisions.peek())
    if (isPending(held) && held.sendsAt <= countdownNow.value) void deliver(held)
}

const isPending = ({ state }: HeldDecision): boolean => state === 'held' || state === 'waiting'

/** Whether a decision can still be undone: not while its request is under way. */
export const canUndo = ({ state }: HeldDecision): boolean => state !== 'sending'

/** Takes a decision back, and shows its form as it was. */
export function undo(held: HeldDecision): void {
  drop(held)
  restoreTyped(held)
  go(held.link)
  if (held.firstSentAt !== null) void renewLoaded(held.staleKeys)
  say(held.firstSentAt === null ? words.common.undone : words.held.notAgain)
}

function restoreTyped({ draft, typed }: HeldDecision): void {
  if (draft !== undefined) restoreDraft(draft, typed)
}

/** Sends a held decision at once. */
export const sendNow = (held: HeldDecision): void => void deliver(held)

/** Sends all held decisions at once. Resolves whether all have arrived. */
export async function sendHeld(): Promise<boolean> {
  for (const held of heldDecisions.peek().filter(isPending)) void deliver(held)
  await Promise.all(requests.values())
  return heldDecisions.peek().length === 0
}

async function deliver(held: HeldDecision): Promise<void> {
  const now = Date.now()
  const { firstSentAt } = held
  if (firstSentAt !== null && now - firstSentAt > REPEATED_FOR_MILLISECONDS)
    return update(held.id, { state: 'stale' })
  update(held.id, { state: 'sending', firstSentAt: firstSentAt ?? now })
  const request = transmit(held).finally(() => requests.delete(held.id))
  requests.set(held.id, request)
  return request
}

/** Sends a decision. Its id is the idempotency key, unless it has one: the first answer is repeated. */
async function transmit(held: HeldDecision): Promise<void> {
  try {
    await finish(held, await sendChange({ key: held.id, ...held.change }))
  } catch (thrown) {
    await handleFailure(held, asRefusal(thrown))
  }
}

async function handleFailure(held: HeldDecision, refusal: Refusal): Promise<void> {
  if (isTemporary(refusal))
    return update(held.id, {
      state: 'waiting',
      sendsAt: Date.now() + RETRIED_EVERY_MILLISECONDS,
      // A request of a browser that is offline did not leave it.
      ...(!navigator.onLine && { firstSentAt: held.firstSentAt }),
    })
  if (refusal.problem.code === 'step_up_required') return update(held.id, { state: 'old_sign_in' })
  await refuse(held, refusal)
}

async function finish(held: HeldDecision, answer: unknown): Promise<void> {
  if (held.draft !== undefined) clearDraft(held.draft)
  await renewLoaded([...held.staleKeys, 'overview'])
  drop(held)
  say([words.held.sent(held.text), outcomeText(held.change, answer)].filter(Boolean).join(' '))
}

/**
 * Whether the same request may succeed later: the server was not reached or could not answer, the access token has run
 * out, or an earlier attempt is under way.
 */
const isTemporary = ({ problem: { code, status } }: Refusal): boolean =>
  ['offline', 'idempotency_in_progress'].includes(code) || status === 401 || status === 429 || status >= 500

/** Drops a decision that the service refused, restores its typed texts, and offers the way back to its form. */
async function refuse(held: HeldDecision, refusal: Refusal): Promise<void> {
  if (refusal.problem.code === 'version_conflict' && held.seen) overtaken.set(held.subject, held.seen)
  refusals.value = new Map([...refusals.value, [held.subject, refusal]])
  restoreTyped(held)
  await renewLoaded(held.staleKeys)
  drop(held)
  sayRefused(refusal, { text: words.held.open, about: held.text, run: () => go(held.link) })
}

/** Takes over the decisions of closed pages and tabs. From now on, sends the held decisions when the page is left. */
export function resumeHeld(): void {
  addEventListener('online', retry)
  addEventListener('pagehide', leave)
  addEventListener('storage', ({ key, newValue }) => {
    if (!key?.startsWith(PREFIX)) return
    if (newValue === null) forgetElsewhere(key.slice(PREFIX.length))
    else adopt(key)
  })
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) adopt(key)
}

/**
 * Takes over a decision of this administrator once the tab that had it is gone. Removes that of another one, whose text does
 * not stay in this browser.
 */
function adopt(key: string): void {
  const id = key.slice(PREFIX.length)
  const left = read(key)
  if (left && left.by !== administrator.peek()) localStorage.removeItem(key)
  if (left?.by !== administrator.peek() || awaited.has(id) || releases.has(id)) return
  heldElsewhere.value = new Map([...heldElsewhere.value, [id, left]])
  lock(id, () => {
    const held = read(key)
    heldElsewhere.value = without(heldElsewhere.value, id)
    // With `sendsAt: 0` the decision is sent at the next check.
    if (held) show([...heldDecisions.peek(), { ...held, state: 'held', sendsAt: 0 }])
    return held !== undefined
  })
}

/** Shows what became of another tab's decision: it has arrived, was undone or was refused. */
function forgetElsewhere(id: string): void {
  const left = heldElsewhere.value.get(id)
  heldElsewhere.value = without(heldElsewhere.value, id)
  if (left) void renewLoaded(left.staleKeys)
}

const read = (key: string): HeldDecision | undefined =>
  JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined

const retry = (): void => {
  for (const held of heldDecisions.peek()) if (held.state === 'waiting') void deliver(held)
}

/** Sends the decisions not sent yet. They stay stored: the next page repeats them, and is told whether each has arrived. */
function leave(): void {
  for (const held of heldDecisions.peek()) if (held.state === 'held') void deliver(held)
}

/** Returns how many payouts a run created and skipped, in words; an empty text for every other change. */
function outcomeText({ path }: Change, answer: unknown): string {
  if (path !== '/admin/payouts/run' || typeof answer !== 'object' || answer === null) return ''
  const { created, skipped } = answer as Record<string, unknown>
  return words.payouts.payEveryoneDone(count(Number(created)), count(Number(skipped)))
}
