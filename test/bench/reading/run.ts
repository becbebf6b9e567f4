import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

// A process of `bench:signed-requests`: loads a bundle with its bytecode as `lib/package/loader.cjs` does, reads an item once
// and then so many times, and prints what each took of the processor.

const [bundle = '', bytecode = '', table = '', warm = '0'] = process.argv.slice(2)
const before = process.cpuUsage()
const cached = cachedData()
const script = new Script(readFileSync(bundle, 'utf8'), {
  filename: bundle,
  ...(cached && { cachedData: cached }),
})
const loaded: { exports: { read?: (table: string, id: string) => Promise<unknown> } } = { exports: {} }
script.runInThisContext()(loaded.exports, createRequire(import.meta.url), loaded, bundle, '')
const read = async () => loaded.exports.read?.(table, 'READ#1')
await read()
const first = usedSince(before)
const beforeWarm = process.cpuUsage()
for (let count = 0; count < Number(warm); count += 1) await read()
const each = usedSince(beforeWarm) / Math.max(1, Number(warm))
if (!cached) writeFileSync(bytecode, script.createCachedData())
console.log(JSON.stringify({ first, each, isRejected: script.cachedDataRejected === true }))
process.exit()

function cachedData(): Buffer | undefined {
  try {
    return readFileSync(bytecode)
  } catch {
    return undefined
  }
}

function usedSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
