import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const PACKAGE = 'test/package/artefact/**/*.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'
const STACKS = 'test/**/*.stack.test.ts'
const withServers = {
  globalSetup: ['test/support/start-stack.ts'],
  setupFiles: ['test/support/environment.ts'],
}

export default defineConfig({
  test: {
    // Two more than there are processors: tests of races and stacks wait, and by default Vitest leaves one idle.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [BROWSER, STACKS, PACKAGE],
          ...withServers,
        },
      },
      // Whole stacks as `npm start` starts them, and compilers of clients: `npm run test:stacks`.
      { extends: true, test: { name: 'stacks', include: [STACKS], ...withServers } },
      // Pages in a real Chromium: `npm run test:browser`.
      { extends: true, test: { name: 'browser', include: [BROWSER], ...withServers } },
      // What `npm run package` leaves: `npm run test:package` makes it first.
      { extends: true, test: { name: 'package', include: [PACKAGE] } },
    ],
    // Files share a process, and so the modules that are read and compiled once: a third of the time of all tests. What a
    // file changes in the process, `environment.ts` takes back.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
