import { styleText } from 'node:util'

/** Reports of a stack that runs: an event that was announced, a mail that was caught, a job that ran. */
type NoteKind = 'event' | 'mail' | 'job'

export type Output = {
  /** A part that has started. */
  step: (text: string) => void
  /** The last line of starting, and the addresses to open. From here on requests are shown. */
  ready: (text: string, addresses: Readonly<Record<string, string>>) => void
  /** A line that a function wrote. */
  functionLine: (line: string) => void
  note: (kind: NoteKind, text: string) => void
}

type Write = (line: string) => void

/** Opens the output in the form that was asked for: lines for a person, or one JSON object a line. */
export const openOutput = (format: 'text' | 'json', write: Write, now: () => Date): Output =>
  format === 'json' ? jsonOutput(write, now) : textOutput(write, now)

function jsonOutput(write: Write, now: () => Date): Output {
  const writeObject = (message: string, rest: object = {}) =>
    write(JSON.stringify({ level: 'info', time: now().toISOString(), message, ...rest }))
  return {
    step: (text) => writeObject(text),
    ready: (text, addresses) => writeObject(text, addresses),
    functionLine: (line) => (parseLine(line) ? write(line) : writeObject(line)),
    note: (kind, text) => writeObject(`${kind} ${text}`),
  }
}

function textOutput(write: Write, now: () => Date): Output {
  let isReady = false
  const writeTimed = (line: string) => write(`${grey(now().toTimeString().slice(0, 8))} ${line}`)
  return {
    step: (text) => write(`  ${styleText('green', '✔')} ${text}`),
    ready: (text, addresses) => {
      isReady = true
      const width = Math.max(0, ...Object.keys(addresses).map(({ length }) => length))
      write(text)
      for (const [name, address] of Object.entries(addresses)) write(`  ${name.padEnd(width)}  ${address}`)
    },
    functionLine: (line) => {
      const entry = parseLine(line)
      const shown = entry ? shortLine(entry) : line
      if (shown === undefined) return
      // While the stack starts, plain lines and errors are shown; requests that make the demo data are not.
      const isShownEarly = !entry || entry['level'] === 'error'
      if (isReady || isShownEarly) writeTimed(shown)
    },
    note: (kind, text) => {
      // Only failures of jobs are shown: their notes have these words.
      const isShown = kind !== 'job' || / failed| gave up /.test(text)
      if (isReady && isShown) writeTimed(`${grey(kind.padEnd(5))} ${text}`)
    },
  }
}

type Line = Readonly<Record<string, unknown>>

/** Shortens a line of a function. Returns undefined for metrics, and for jobs that went well. */
function shortLine(entry: Line): string | undefined {
  const { level, route, status, job, message, code, durationMilliseconds, cause } = entry
  if ('_aws' in entry || (job !== undefined && level === 'info')) return undefined
  const why = cause === undefined ? '' : `\n${indented(textOf(cause))}`
  if (route === undefined) return `${styleText('red', `${level}`)} ${message}${why}`
  const problem = code === undefined ? '' : ` ${code}`
  return `${coloured(Number(status), `${status}`)}   ${route} ${grey(`${durationMilliseconds} ms`)}${problem}${why}`
}

const textOf = (cause: unknown): string => {
  if (typeof cause !== 'object' || cause === null) return `${cause}`
  const { stack, message } = cause as { stack?: string; message?: string }
  return stack ?? message ?? JSON.stringify(cause)
}

const indented = (text: string): string => text.replace(/^/gm, '    ')

const grey = (text: string): string => styleText('gray', text)

function coloured(status: number, text: string): string {
  if (status < 400) return styleText('green', text)
  return styleText(status < 500 ? 'yellow' : 'red', text)
}

function parseLine(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
