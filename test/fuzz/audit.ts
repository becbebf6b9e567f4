import { setTimeout as wait } from 'node:timers/promises'
import type { Report } from './report.ts'

/** Jobs that compare what is kept twice. */
const AUDITS = ['auditLedger', 'auditOverview']

/** What follows requests is done when the stack has printed nothing for so long. */
const SILENCE_MILLISECONDS = 5_000
const WAITS_MAX = 60

type Outcome = { isOk: boolean; result?: { faults?: unknown[]; changed?: number } }

/** Runs the audits once what follows the requests has been done, and notes what they find. */
export async function audit(url: string, report: Report): Promise<void> {
  for (let waits = 0; report.silence() < SILENCE_MILLISECONDS && waits < WAITS_MAX; waits += 1)
    await wait(1_000)
  for (const name of AUDITS) {
    const answer = await fetch(`${url}/local/jobs/${name}`, { method: 'POST' })
    const outcome = (await answer.json()) as Outcome
    const { faults = [], changed = 0 } = outcome.result ?? {}
    if (!outcome.isOk || faults.length > 0 || changed > 0)
      report.noteOfRun(`${name} finds what does not agree: ${JSON.stringify(outcome)}`)
  }
}
