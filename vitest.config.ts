import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-stack.ts'],
    setupFiles: ['test/support/environment.ts'],
    // One more than there are processors: tests of races, browsers and stacks wait, and by default Vitest leaves one idle.
    maxWorkers: availableParallelism() + 1,
    // Files share a process, and so the modules that are read and compiled once: a third of the time of all tests. What a
    // file changes in the process, `environment.ts` takes back.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
