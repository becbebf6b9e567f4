import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-stack.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
