import { parseArgs } from 'node:util'
import { askEach } from '../package/ask-functions.ts'
import type { Lambda } from '../package/lambda.ts'
import { type Figures, table } from './figures.ts'
import { cpuMilliseconds, startPackagedStack } from './packaged-stack.ts'

// `npm run bench -- cold-start`: each function's cold start, with a request made of the examples in the document, against
// that of a handler written by hand, under the real runtime client. The two take turns, so that whatever else the machine
// does meets both. `--runs 15` makes more of them, `--only register,login` measures these. Never in `npm test`.

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, only: { type: 'string', default: '' } },
})
const only = new Set(values.only.split(',').filter(Boolean))

const isMeasured = ({ name }: { name: string }) => only.size === 0 || only.has(name)

const stack = await startPackagedStack()
const figures = new Map<string, Figures>()
try {
  for (const { name } of stack.functions.filter(isMeasured))
    figures.set(name, { kilobytes: await stack.kilobytesOf(name), starts: [] })
  for (let run = 0; run < Number(values.runs); run += 1) {
    await askEach(
      { ...stack, invoke: ({ name }, event) => measure(name, event) },
      { among: stack.functions.filter(isMeasured) },
    )
    process.stderr.write('.')
  }
} finally {
  await stack.stop()
}
console.log(table(figures))

/** Starts a function and the bare handler one after the other; answers with what the function did. */
async function measure(name: string, event: unknown): Promise<unknown> {
  const { result, ...start } = await coldStart(await stack.start(name), event)
  const measured = figures.get(name)
  if (measured) {
    const { result: _, ...bare } = await coldStart(await stack.startBare(), stack.bareEvent)
    measured.starts.push({ ...start, bare })
  }
  return result
}

async function coldStart(lambda: Lambda, event: unknown) {
  try {
    const init = await lambda.initialized
    const outcome = await lambda.invoke(event)
    if (!('result' in outcome)) throw new Error(`A function failed: ${JSON.stringify(outcome)}`)
    return { init, first: outcome.milliseconds, cpu: await cpuMilliseconds(lambda), result: outcome.result }
  } finally {
    await lambda.stop()
  }
}
