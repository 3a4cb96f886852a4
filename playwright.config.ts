import { defineConfig } from '@playwright/test';

/** Made by `npm test -- e2e`; without them the one of this session is used. */
const displays = (JSON.parse(process.env.MARS2_TEST_DISPLAYS ?? '[]') as unknown[]).length || 1;

/** Files that take long begin first: the last one would keep one worker busy while the other has nothing to do. */
const LONG = ['quickstart', 'reproduction', 'training'].map((name) => `**/${name}.spec.ts`);

/** The real app in real windows: two files at a time where each worker has a display of its own. */
export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'other', testIgnore: LONG },
  ],
  outputDir: 'test-results',
  // Windows on one display take the focus and the clipboard from each other. The tests wait more than they work, so
  // that two workers suit two cores.
  workers: displays,
  fullyParallel: false,
  // A whole quickstart belongs to these tests, on a busy machine too; patience is not a measurement.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['line']],
});
