import { seedDemo } from '../demo/demo.ts'
import { onceNpmIsGone } from '../npm-parent.ts'
import { readSettings } from '../settings.ts'
import { startStack } from '../stack.ts'
import { consoleToken } from './token.ts'

// `npm start`: the whole service on this machine, until Ctrl-C.

const asked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.abort())
onceNpmIsGone(() => asked.abort())

try {
  const settings = readSettings(process.env)
  const stack = await startStack(settings, process.env)
  if (!asked.signal.aborted) {
    const url = `http://localhost:${settings.port}`
    if (settings.demoData) await seedDemo(url, await consoleToken(settings, 'demo'), settings.directory)
    // The first look at a page builds it, and every other request waits meanwhile.
    for (const page of ['/docs', '/console']) await fetch(`${url}${page}`)
    console.log(`Platform API ready on ${url}`)
    console.log(`  docs     ${url}/docs`)
    console.log(`  console  ${url}/console`)
    console.log(`  token    ${tokenCommand()}`)
    console.log('  pages    any localhost origin may call it (CORS)')
  }
  const reason = await Promise.race([stack.broken, aborted(asked.signal)])
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

/** Ctrl-C reaches the children too: what they say of it is no failure. */
function end(reason: string | undefined): never {
  if (asked.signal.aborted || reason === undefined) process.exit(0)
  console.error(reason)
  process.exit(1)
}

/** How to get an administrator's token for this very stack. */
function tokenCommand(): string {
  const chosen = ['PORT', 'LOCAL_DIR']
    .filter((name) => process.env[name])
    .map((name) => `${name}=${process.env[name]} `)
  return `${chosen.join('')}npm run --silent token`
}
