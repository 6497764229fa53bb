// One test project. Timeouts are wide because real Chromium, PostgreSQL and Redis start inside tests on two cores;
// no test asserts a duration, so a slow machine is only slow.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/suite-setup.ts'],
    setupFiles: ['test/support/watch-secrets.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // Once more, and then CI names it: a shared machine stands still now and then, and browsers, databases and balancers
    // notice. What a property found by chance is not tried again, since chance would lose it.
    retry: { count: 1, condition: /^(?!Property failed)/u },
  },
})
