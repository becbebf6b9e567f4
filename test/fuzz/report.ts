import type { FuzzAnswer } from './check-answer.ts'
import { curlOf, type FuzzRequest } from './make-request.ts'

/** Where a request stands in a run: its seed and its number. */
export type Place = { seed: number; number: number }

export type Report = {
  /** Counts an answer by its status. */
  count: (status: number) => void
  /** Prints a finding with its request as a command, its answer and what the functions logged, once for each kind. */
  note: (place: Place, request: FuzzRequest, answer: FuzzAnswer, fault: string) => void
  /** Prints a finding that no single request made. */
  noteOfRun: (fault: string) => void
  /** Takes a line that the stack printed. */
  hear: (line: string) => void
  /** Milliseconds since the stack printed its last line. */
  silence: () => number
  /** Prints the sum of a run and returns how many findings there were. */
  end: () => number
}

const ANSWER_MAX = 1_500
const LOG_MAX = 3_000

export function openReport(url: string): Report {
  const found = new Set<string>()
  const statuses = new Map<number, number>()
  const logged: string[] = []
  let heardAt = performance.now()
  return {
    count: (status) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
    hear: (line) => {
      heardAt = performance.now()
      if (line.includes('"status":5') || line.includes('"cause"')) logged.push(line)
    },
    silence: () => performance.now() - heardAt,
    note: ({ seed, number }, request, { status, headers, text }, fault) => {
      const finding = `${request.operation.route} ${fault}`
      // The same fault of another item or value is no other kind.
      const kind = finding.replace(/[[/]\d+/g, '').replace(/: .*/, '')
      if (found.has(kind)) return
      found.add(kind)
      const id = headers.get('x-request-id')
      const line = logged.find((each) => id !== null && each.includes(id))
      const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
      console.log(
        [
          `\n${finding}`,
          `SEED=${seed}, request ${number}, by ${request.caller.name}`,
          curlOf(url, request),
          `${status}\n${lines.join('\n')}\n\n${text.slice(0, ANSWER_MAX)}`,
          ...(line === undefined ? [] : [line.slice(0, LOG_MAX)]),
        ].join('\n'),
      )
    },
    noteOfRun: (fault) => {
      found.add(fault)
      console.log(`\n${fault}`)
    },
    end: () => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
      console.log(`\nAnswers by status: ${counts.join(', ')}`)
      console.log(`${found.size} findings`)
      return found.size
    },
  }
}
