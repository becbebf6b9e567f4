import type { SourceFile } from './source-files.ts'

/** What each part of the repository imports, types included. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The imports of files, summed up by the part that a file belongs to; files of no part are left out. */
export function graphOf(files: readonly SourceFile[], partOf: (path: string) => string | undefined): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of files) {
    const part = partOf(path)
    if (part === undefined) continue
    const known = graph.get(part) ?? new Set()
    graph.set(part, known)
    for (const { from, isOurs } of imports) {
      const imported = isOurs ? partOf(from) : undefined
      if (imported !== undefined && imported !== part) known.add(imported)
    }
  }
  return graph
}

/** The groups of parts that reach each other by imports, each group once. */
export function circlesOf(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((part) => [part, reachable(graph, part)]))
  const circles = new Map<string, string[]>()
  for (const [part, others] of reached) {
    if (!others.has(part)) continue
    const members = [...others].filter((other) => reached.get(other)?.has(part)).sort()
    circles.set(members.join(), members)
  }
  return [...circles.values()]
}

/** Everything that a part imports, and what those import in turn. */
function reachable(graph: Graph, start: string): Set<string> {
  const found = new Set<string>()
  const queue = [start]
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    for (const next of graph.get(part) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      queue.push(next)
    }
  }
  return found
}
