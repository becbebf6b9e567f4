import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { parseSync, Visitor } from 'oxc-parser'

/**
 * Lets the bundler drop each constant of our modules that a function does not use, with all that it is made of. A call may
 * do more than return a value, so the bundler would keep it; none of ours does. Most are schemas, and a function uses a
 * third to a half of the seven hundred that it would make: that saves 8 ms. `.meta()`, which the document alone reads, makes
 * each schema again: that costs 3 ms.
 */
export const pureConstants: Plugin = {
  name: 'pure-constants',
  setup: (build) => {
    build.onLoad({ filter: /\/(lib|functions)\/.*\.ts$/ }, async ({ path }) => ({
      contents: annotate(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** Returns a source whose constants are the results of functions that are marked as free of side effects. */
function annotate(path: string, source: string): string {
  const { program } = parseSync(path, source)
  const edits: { start: number; end: number; text: string }[] = []
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations) {
      if (id.type !== 'Identifier' || !init) continue
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
      edits.push({ start: init.end, end: init.end, text: '))()' })
    }
  }
  new Visitor({
    CallExpression: ({ callee, arguments: given, end }) => {
      if (callee.type !== 'MemberExpression' || given.length !== 1) return
      if (callee.property.type === 'Identifier' && callee.property.name === 'meta')
        edits.push({ start: callee.object.end, end, text: '' })
    },
  }).visit(program)
  return edits
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), source)
}
