import { afterAll, vi } from 'vitest';

/** Test files share a process: the next one starts with the environment that this one found. */
afterAll(() => {
  vi.unstubAllEnvs();
});
