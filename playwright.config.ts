import { defineConfig } from '@playwright/test';

/** The real app in a real window; one at a time, because a study uses all cores. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 1,
  fullyParallel: false,
  // A whole quickstart belongs to these tests; patience is not a measurement.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['line']],
});
