import { onceNpmIsGone } from './npm-parent.ts'
import { readSettings } from './settings.ts'
import { startStack } from './stack.ts'

// `npm start`: the whole service on this machine, until Ctrl-C.

const { promise: asked, resolve: ask } = Promise.withResolvers<'stop'>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask('stop'))
onceNpmIsGone(() => ask('stop'))

try {
  const settings = readSettings(process.env)
  const starting = startStack(settings, process.env)
  if ((await Promise.race([starting, asked])) === 'stop') {
    await (await starting).stop()
    process.exit(0)
  }
  const stack = await starting
  const url = `http://localhost:${settings.port}`
  console.log(`Platform API ready on ${url}`)
  console.log(`  docs     ${url}/docs`)
  console.log(`  console  ${url}/console`)
  console.log(`  token    ${tokenCommand()}`)

  const reason = await Promise.race([asked, stack.broken])
  await stack.stop()
  if (reason !== 'stop') fail(reason)
  process.exit(0)
} catch (error) {
  fail(error instanceof Error ? error.message : error)
}

/** How to get an administrator's token for this very stack. */
function tokenCommand(): string {
  const chosen = ['PORT', 'LOCAL_DIR']
    .filter((name) => process.env[name])
    .map((name) => `${name}=${process.env[name]} `)
  return `${chosen.join('')}npm run --silent token`
}

function fail(reason: unknown): never {
  console.error(`${reason}`)
  process.exit(1)
}
