import { readFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'

// Loaded before a program, or by it, whose clock a bench moves: what `CLOCK_FILE` holds, in milliseconds, is added to the
// time of day. Timers run on as they would.

const READ_EVERY_MILLISECONDS = 100

const file = process.env['CLOCK_FILE']
let ahead = 0
const RealDate = Date
const now = () => RealDate.now() + ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
})

// By the `Date` of an answer the SDK sets its own clock.
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = new Proxy(writeHead, {
  apply: (target, response: ServerResponse, given) => {
    response.setHeader('date', new Date(now()).toUTCString())
    return Reflect.apply(target, response, given)
  },
})

/** Moves the clock of this process. */
export const moveClock = (milliseconds: number): void => {
  ahead = milliseconds
}

if (file !== undefined) {
  const read = () => moveClock(Number(readFileSync(file, 'utf8')) || 0)
  read()
  setInterval(read, READ_EVERY_MILLISECONDS).unref()
}
