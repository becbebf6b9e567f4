import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-stack.ts'],
    setupFiles: ['test/support/environment.ts'],
    // All processors: by default Vitest leaves one idle, which is half of a small machine.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
