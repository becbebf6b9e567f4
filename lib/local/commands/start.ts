import { relative } from 'node:path'
import { seedDemo } from '../demo/demo.ts'
import { onceNpmIsGone } from '../npm-parent.ts'
import { openOutput } from '../output.ts'
import { readSettings } from '../settings.ts'
import { startStack } from '../stack.ts'
import { consoleToken } from './token.ts'

// `npm start`: the whole service on this machine, until Ctrl-C.

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
onceNpmIsGone(() => ending.abort())

try {
  const settings = readSettings(process.env)
  const output = openOutput(settings.logFormat, console.log, () => new Date())
  output.step(`The data lies in ${relative('', settings.directory) || '.'}`)
  const stack = await startStack(settings, process.env, output)
  if (!ending.signal.aborted) {
    const url = `http://localhost:${settings.port}`
    if (settings.demoData) {
      await seedDemo(url, await consoleToken(settings, { sub: 'demo' }), settings.directory)
      output.step('Demo data')
    }
    // The first request of a page builds the page while every other request waits.
    for (const page of ['/docs', '/console']) await fetch(`${url}${page}`)
    output.step('The pages')
    output.ready(`Platform API ready on ${url}`, {
      docs: `${url}/docs`,
      console: `${url}/console`,
      mail: `${url}/local/mail`,
      mails: `${url}/local/mails`,
      token: tokenCommand(),
      end: 'Ctrl-C',
    })
  }
  const reason = await Promise.race([stack.broken, aborted(ending.signal)])
  await stack.stop()
  end(reason)
} catch (error) {
  end(error instanceof Error ? error.message : `${error}`)
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined))
  })
}

/** Ends with 1 after a failure. Ctrl-C ends the child processes too: their end is no failure then. */
function end(reason: string | undefined): never {
  if (ending.signal.aborted || reason === undefined) process.exit(0)
  console.error(reason)
  process.exit(1)
}

function tokenCommand(): string {
  const chosen = ['PORT', 'LOCAL_DIR']
    .filter((name) => process.env[name])
    .map((name) => `${name}=${process.env[name]} `)
  return `${chosen.join('')}npm run --silent token`
}
