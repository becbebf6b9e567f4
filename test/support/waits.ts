import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { dynamo } from '#lib/dynamo/client'

/** More turns of the event loop than a branch of a function takes from an answer to its next request. */
const TURNS = 20

/** Requests that are sent together, and whose answers come together. */
type Round = { sent: Promise<unknown>[]; begins: Promise<void>; isAnswered: boolean }
type Run = { round: Round | undefined; waits: number }

const counted = new AsyncLocalStorage<Run>()

/**
 * Counts how often an act waits for DynamoDB, whatever the machine's speed: its requests are held until it can do nothing
 * without an answer, and then all sent together. Each such round is a wait.
 */
export async function waitsOf<T>(act: () => Promise<T>): Promise<{ waits: number; result: T }> {
  const run: Run = { round: undefined, waits: 0 }
  const result = await counted.run(run, act)
  return { waits: run.waits, result }
}

/** Lets `waitsOf` count, and returns what ends that. */
export function startWaitCounter(): () => void {
  const { send } = dynamo
  dynamo.send = (operation, input) => {
    const run = counted.getStore()
    const act = () => send(operation, input)
    return run ? inRound(run, act) : act()
  }
  return () => {
    dynamo.send = send
  }
}

async function inRound<T>(run: Run, act: () => Promise<T>): Promise<T> {
  const round = run.round && !run.round.isAnswered ? run.round : begin(run)
  const answer = round.begins.then(act)
  round.sent.push(answer)
  await round.begins
  await answered(round)
  return answer
}

function begin(run: Run): Round {
  run.waits += 1
  const round: Round = { sent: [], begins: idle(), isAnswered: false }
  run.round = round
  return round
}

/** Waits for what a request that came while the others were on their way waits for, too: they overlap. */
async function answered(round: Round): Promise<void> {
  for (let known = 0; known < round.sent.length; ) {
    known = round.sent.length
    await Promise.allSettled(round.sent)
  }
  round.isAnswered = true
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
}
