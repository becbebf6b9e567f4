'use strict'
// What Lambda loads. It runs the bundle beside it, from the bytecode beside that where this very version of
// Node on this kind of machine made some. V8 refuses any other; the bundle is then compiled as usual.
const { readFileSync } = require('node:fs')
const { Script } = require('node:vm')

const path = __filename.slice(0, -'.js'.length)
const filename = `${path}.cjs`
// esbuild writes ASCII only, and this is the fastest way to read it.
const source = readFileSync(filename, 'latin1')
const cachedData = read(`${path}.${process.version}-${process.arch}.bytecode`)

const script = withoutFlags(() => new Script(source, { filename, cachedData }))
const bundle = { exports: {} }
script.runInThisContext()(bundle.exports, require, bundle, filename, __dirname)
if (!cachedData || script.cachedDataRejected) report()

// By a static name, since Lambda imports this file as a module.
exports.handler = bundle.exports.handler

function read(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Lambda runs Node with --expose-gc. V8 compares flags, though this one changes nothing of the bytecode. */
function withoutFlags(compile) {
  if (!cachedData || typeof globalThis.gc !== 'function') return compile()
  const { setFlagsFromString } = require('node:v8')
  setFlagsFromString('--no-expose-gc')
  try {
    return compile()
  } finally {
    setFlagsFromString('--expose-gc')
  }
}

function report() {
  if (!/^(|debug|info)$/.test(process.env.LOG_LEVEL ?? '')) return
  const message = `no bytecode for Node ${process.version} on ${process.arch}: compiled as usual`
  process.stdout.write(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), message })}\n`)
}
