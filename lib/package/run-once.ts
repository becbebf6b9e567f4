import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Script } from 'node:vm'

// The program of a process that handles one event: runs a bundle as `loader.cjs` does, with an event from its parent
// process. Then writes V8's bytecode, and sends the parent the result.

const SETTLING_MILLISECONDS = 50

type Bundle = { exports: { handler?: (event: unknown, context: object) => Promise<unknown> } }

const [, , filename = '', bytecode = ''] = process.argv
// Latin-1 as in the loader, since V8 takes bytecode only with the same source. A bundle is ASCII.
const script = new Script(await readFile(filename, 'latin1'), { filename })
const bundle: Bundle = { exports: {} }
script.runInThisContext()(bundle.exports, createRequire(filename), bundle, filename, dirname(filename))

process.once('message', async ({ event }: { event: unknown }) => {
  const result = await bundle.exports.handler?.(event, {
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => 10_000,
  })
  // Work that follows the answer belongs to a request too.
  await wait(SETTLING_MILLISECONDS)
  await writeFile(bytecode, script.createCachedData())
  process.send?.({ result }, () => process.exit(0))
})
process.send?.({ isReady: true })
